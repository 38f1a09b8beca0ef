"""The older ``websites`` table gives way to a view of that name with the same columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.schema import WEBSITES

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx

KEPT_AS = "websites_before_pageloom"
_IS_TABLE = {
    "sqlite": "SELECT 1 FROM sqlite_master WHERE name = 'websites' AND type = 'table'",
    "postgres": (
        "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE"
        " c.relname = 'websites' AND c.relkind = 'r' AND n.nspname = ANY (current_schemas(false))"
    ),
}


def replace_table(store: Store) -> bool:
    """Rename the table and put the view in its place; whether there was a table."""

    def replace(tx: Tx) -> bool:
        if not tx.one(_IS_TABLE[tx.dialect]):
            return False
        tx.run(f"ALTER TABLE websites RENAME TO {KEPT_AS}")
        tx.run(WEBSITES[tx.dialect].strip())
        return True

    return store.transact(replace)
