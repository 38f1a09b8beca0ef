"""The shipped rules: data, not code. One YAML file per group, and a page that needs each rule."""
