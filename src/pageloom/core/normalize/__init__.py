"""Stage 5 of 9: normalize. Takes PageFacts and Content, gives Chosen: one spelling per field."""
