"""Archives of pages: WARC, WET, JSON lines, Parquet and page files in; parts of a bulk run out."""
