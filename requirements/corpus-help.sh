#!/bin/sh
# Which public data sets `make quality` can measure on, and where they go.
cat <<'TEXT'
make quality measures on pages whose right answer is known. Say where they are:

    make quality CORPUS=directory

The directory may hold any of these public data sets:

  wcxb/html/ID.html, wcxb/truth/ID.json
      WCXB web content extraction benchmark (CC-BY-4.0): pages of seven types with their main text
  snippets/trafilatura.jsonl
      trafilatura's evaluation pages (Apache-2.0): strings that must and must not be in the main text
  metadata/*.jsonl
      evaluation pages of htmldate and trafilatura (Apache-2.0): titles, authors, dates
  readability/CASE/source.html, expected.html
      mozilla/readability test pages (Apache-2.0): agreement with that tool, not truth; and what the
      expected HTML loses on its way to Markdown and back
  markdown/manifest.json, markdown/CASE.html
      small pieces of HTML, and what each must keep as Markdown
TEXT
