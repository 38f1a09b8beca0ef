"""URL or bytes to page and Document: HTTP, the browser, site rules, the sandbox."""
