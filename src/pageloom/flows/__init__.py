"""Where the core and the edges are called in the same breath: one file for each thing users do.

acquiring   an address becomes a page and its Document, over HTTP or in the browser
comparison  two extractors over the same pages, side by side
exporting   pages of the library in the formats of others
importing   pages of other libraries come into ours
keeping     pages are fetched or handed in, read, and kept in the library
attempts    the ways of getting a page, and which result is kept
following   what rules say about asking for a page, and where a page goes on
polling     the feeds of sources are looked at
reading     content becomes a Document, in this process or in the sandbox
reparsing   today's parser over what was fetched before
"""
