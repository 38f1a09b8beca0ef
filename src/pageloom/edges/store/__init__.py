"""The library: pages, versions and what users did with them, in SQLite or PostgreSQL.

    base        a Store: transactions over a pool of connections      open_store, Store, Tx
    schema      every table, once, for both databases
    migrate     from nothing, and from every older version, to the present schema
    saving      a Capture becomes a page and a version                prepare, save_in
    versions    the versions of a page
    bodies      originals, compressed, each kept once

One module for each further subject. All of it is synchronous: async callers use ``to_thread``.
"""
