"""Write down the Markdown of today, what is wrong with a page, and forget what has come right.

    python -m tests.golden.accept

The difference is the review: every changed line of expected.md is looked at, and a longer list of
``known_wrong`` in meta.json is a step back that needs a reason.
"""

from __future__ import annotations

import json
import sys

from tests.golden.test_golden import CASES, HERE, read_meta, run, troubles_of

_FIELD = " is "


def beginning(trouble: str) -> str:
    """As much of a complaint as does not depend on the answer of the day."""
    if trouble.startswith("text "):
        return trouble
    field, found, _ = trouble.partition(_FIELD)
    return field + _FIELD if found else trouble.partition(": [")[0]


def main() -> int:
    """Rewrite every expected.md and meta.json; print the number of complaints."""
    count = 0
    for case in CASES:
        meta = read_meta(case)
        meta.pop("known_wrong", None)
        wrong = [beginning(trouble) for trouble in troubles_of(case, meta)]
        if wrong:
            meta["known_wrong"] = wrong
        count += len(wrong)
        text = json.dumps(meta, ensure_ascii=False, indent=2) + "\n"
        (HERE / case / "meta.json").write_text(text, encoding="utf-8")
        if "error" not in meta:
            markdown = run(case, meta).markdown
            (HERE / case / "expected.md").write_text(markdown, encoding="utf-8")
    sys.stdout.write(f"{count} complaints about {len(CASES)} pages\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
