"""Use cases: each combines the pure core with the edges (network, database, files).

capture     fetch a page over HTTP or in the browser and extract its Document
library     save pages, parse them again, find duplicates, poll feeds
watch       check watched pages, judge what changed, schedule checks
notify      build notices, queue them in the outbox, send them to targets
transfer    import and export pages in other programs' formats
rules       explain and test site rules, import rules of other readers
extractors  compare two extractors on the same pages
queue       what the messages of workers lead to: pages, changes, prices, notices
blocking    asynchronous work for callers that wait for it
events      what happened, for logs, metrics and traces
"""
