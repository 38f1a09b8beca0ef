"""The table of commands: where each is, and what the overview says of it.

Only the module of the command that is asked for is loaded, so that start-up stays short.
"""

from __future__ import annotations

GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Read": {
        "extract": ("read.extract:extract", "Extract text, metadata and Markdown from pages."),
        "explain": (
            "read.extract:explain",
            "Show which parts of a page were kept or dropped, and why.",
        ),
        "fetch": ("read.fetch:fetch", "Fetch a page and show redirects, headers and timings."),
        "diff": ("read.diff:diff", "Compare two files, or two versions of a saved page."),
        "bulk": ("bulk.command:bulk", "Extract whole archives of pages, on all cores or on Ray."),
    },
    "Library": {
        "save": ("library.save:save", "Save pages: fetch, extract and keep every version."),
        "list": ("library.list:list_", "List pages, pinned ones first, then the newest."),
        "search": ("library.search:search", "Search the text of pages, in any language."),
        "read": ("library.read:read", "Read a page; it is then marked as read."),
        "open": ("library.open:open_", "Open the URL of a page in the browser."),
        "history": ("library.history:history", "List the versions of a page, newest first."),
        "pictures list": (
            "library.pictures:list_",
            "List the pictures of a page: kept, waiting, or failed and why.",
        ),
        "pictures fetch": (
            "library.pictures:fetch",
            "Fetch the pictures of pages that are not kept yet.",
        ),
        "links check": ("library.links:check", "Check whether saved pages are still there."),
        "links list": ("library.links:list_", "List what the last check of each page found."),
        "links submit": ("library.links:submit", "Have the web archive capture pages now."),
        "snapshots list": (
            "library.snapshots:list_",
            "List the snapshots of a page, newest first.",
        ),
        "snapshots changes": (
            "library.snapshots:changes",
            "List what looked different on a page watched with --visual.",
        ),
        "snapshots write": ("library.snapshots:write", "Write a snapshot of a page to a file."),
        "tag": ("library.tag:tag", "Add, remove or list tags."),
        "note": ("library.note:note", "Add a note to a page, or show its notes."),
        "highlight": (
            "library.highlights:highlight",
            "Mark a passage of a page, or show its highlights.",
        ),
        "highlights": (
            "library.highlights:highlights",
            "Write the highlights of all pages, as Markdown, JSON or CSV.",
        ),
        "searches": ("library.searches:searches", "List saved searches, add one, or remove one."),
        "pin": ("library.state:pin", "Pin pages, so that they come first in lists."),
        "unpin": ("library.state:unpin", "Unpin pages."),
        "archive": ("library.state:archive", "Archive pages: hide them from lists and searches."),
        "unarchive": ("library.state:unarchive", "Move pages out of the archive."),
        "unread": ("library.state:unread", "Mark pages as unread."),
        "delete": ("library.state:delete", "Delete pages; they can be restored until purged."),
        "restore": ("library.restore:restore", "Restore deleted pages, or a backup."),
        "purge": ("library.purge:purge", "Remove deleted pages permanently."),
        "export": ("library.export:export", "Write pages as Markdown, JSON lines, EPUB and more."),
        "import": ("library.imports:import_", "Import pages from another library or reader."),
        "sources": ("library.sources:sources", "Manage sources and poll their feeds."),
        "duplicates": (
            "library.duplicates:duplicates",
            "List groups of pages with nearly the same text.",
        ),
        "stats": ("library.stats:stats", "Show statistics about the library."),
    },
    "Watch": {
        "watch add": ("watch.add:add", "Watch a page and get notified of changes that matter."),
        "watch list": ("watch.list:list_", "List watches."),
        "watch show": ("watch.show:show", "Show a watch: settings, health and last checks."),
        "watch edit": ("watch.edit:edit", "Change the settings of a watch."),
        "watch preview": ("watch.preview:preview", "Show what a watch would compare and ignore."),
        "watch pause": ("watch.pause:pause", "Pause watches."),
        "watch resume": ("watch.pause:resume", "Resume paused watches; they are due immediately."),
        "watch mute": ("watch.mute:mute", "Ignore parts of a page that change by themselves."),
        "watch unmute": ("watch.mute:unmute", "Compare again the parts that were muted."),
        "watch remove": ("watch.remove:remove", "Remove watches; their pages stay in the library."),
        "check": ("watch.check:check", "Check watches now: those due, those you name, or all."),
        "changes": ("watch.changes:changes", "List changes that were found, newest first."),
        "prices": ("watch.prices:prices", "Show the prices of a page over time."),
        "notify test": ("watch.notify:try_target", "Send a test message to a target."),
        "notify list": ("watch.notify:list_", "List messages that were sent or are waiting."),
        "notify send": ("watch.notify:send", "Send the messages that are due now."),
        "notify retry": ("watch.notify:retry", "Mark failed messages to be sent again."),
    },
    "Rules": {
        "rules list": ("rules.list:list_", "List rules in the order they are applied."),
        "rules show": ("rules.show:show", "Show one rule as YAML."),
        "rules lint": ("rules.lint:lint", "Check rule files for mistakes."),
        "rules test": ("rules.prove:prove", "Test rules against their example pages."),
        "rules explain": (
            "rules.explain:explain",
            "Show which rules match a page and what they do.",
        ),
        "rules new": ("rules.new:new", "Draft a rule and its test from a page."),
        "rules import": ("rules.imports:import_", "Convert site rules written for other tools."),
        "rules health": ("rules.health:health", "Find selectors that no longer match anything."),
    },
    "Workers": {
        "worker": ("workers.worker:worker", "Run workers on the queues of RabbitMQ."),
        "enqueue": ("workers.enqueue:enqueue", "Queue pages for the workers."),
        "dlq list": ("workers.dlq:list_", "List dead letters: messages that failed for good."),
        "dlq show": ("workers.dlq:show", "Show a dead letter with its headers."),
        "dlq replay": (
            "workers.dlq:replay_",
            "Put dead letters back into the queue where they failed.",
        ),
        "dlq purge": ("workers.dlq:purge_", "Delete dead letters permanently."),
        "top": ("workers.top:top", "Show queues, rates and failures of the workers, live."),
    },
    "Admin": {
        "serve": ("admin.serve:serve", "Open the library in the browser, and serve its API."),
        "mcp": ("admin.mcp:mcp", "Serve the library to agents by the Model Context Protocol."),
        "doctor": (
            "admin.doctor:doctor",
            "Show the settings, what is installed and what is missing.",
        ),
        "backup": ("admin.backup:backup", "Write the whole library to one file, or restore it."),
        "reparse": (
            "admin.reparse:reparse",
            "Extract stored originals again with the current parser.",
        ),
        "users": (
            "admin.users:users",
            "List users; give them a role, a password or a sign-in link.",
        ),
        "token": ("admin.token:token", "Create, list or revoke API tokens."),
        "completion": ("admin.completion:completion", "Print a completion script for your shell."),
        "help": ("admin.help:help_", "Show the help of a command."),
        "compare": ("admin.compare:compare", "Compare two extractors over the same pages."),
    },
}
"""Per group of the overview: the command, its module and function, and its line of help.

A name of two words is a command of a family (``watch add``)."""

FAMILIES = {
    "links": "Check whether saved pages are still there; ask the web archive.",
    "snapshots": "List and write screenshots, prints and single files of pages.",
    "pictures": "List and fetch the pictures that are kept with pages.",
    "watch": "Watch pages and get notified of changes that matter.",
    "notify": "Test notification targets; list and send messages.",
    "rules": "List, check, test and write site rules.",
    "dlq": "List, replay and delete dead letters: messages that failed for good.",
}
"""What the overview says of commands that have commands of their own."""

COMMANDS = {name: home for group in GROUPS.values() for name, (home, _) in group.items()}
"""Every command with its module and function."""

OLD_FLAGS = {("changes", "--untold"): "--silent"}
"""Flags that were renamed: the command and the old name, and the new one."""
