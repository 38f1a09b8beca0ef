"""Rules of a user: made on a page, proven on others, kept in the library with their case."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pageloom.errors import NotInLibrary, RuleError
from pageloom.library.pages import Pages
from pageloom.library.transfer import Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pageloom.core.rules.picking import Picked
    from pageloom.flows.rules.cases import CaseResult
    from pageloom.flows.rules.workbench import Proof, RuleTrial, StoredPage, Workbench
    from pageloom.library.base import PageName
    from pageloom.model import BlockTrace
    from pageloom.model.pages import Page
    from pageloom.model.user_rules import UserRule

_VERSIONS, _OTHERS = 30, 20
"""On so many versions of a page, and other pages of its host, are selectors scored."""
_PROVEN = 100
_BLOCKS = 300
_REREAD = 500


class Rules(Pages, Transfer):
    """The methods of a Library that are about the user's own rules."""

    def user_rules(self) -> list[UserRule]:
        """The rules that you keep in the library, by name; they apply to your pages alone."""
        from pageloom.edges.store.user_rules import list_user_rules

        return list_user_rules(self._store, self.owner)

    def user_rule(self, name: str) -> UserRule:
        """One of your rules, with the page that proves it.

        Raises:
            NotInLibrary: you have none of that name.
        """
        from pageloom.edges.store.user_rules import find_user_rule

        found = find_user_rule(self._store, self.owner, name)
        if found is None:
            raise NotInLibrary("You have no rule of that name.", suggestions=())
        return found

    def remove_rule(self, name: str) -> None:
        """Remove one of your rules; pages that it has changed stay until they are read again.

        Raises:
            NotInLibrary: you have none of that name.
        """
        from pageloom.edges.store.user_rules import remove_user_rule

        if not remove_user_rule(self._store, self.owner, name):
            raise NotInLibrary("You have no rule of that name.", suggestions=())

    def try_rule(self, page: PageName, text: str, version: int | None = None) -> RuleTrial:
        """What a rule, as YAML, does to a page: without it and with it; nothing is kept.

        Raises:
            NotInLibrary: there is no such page or version, or its original was not kept.
        """
        from pageloom.flows.rules.workbench import try_rule

        return try_rule(text, self._stored(self.get(page), version), self._bench())

    def prove_rule(self, page: PageName, text: str, version: int | None = None) -> list[Proof]:
        """What a rule does to the other pages of the host, those that it makes worse first.

        Raises:
            RuleError: the rule has a mistake.
        """
        from pageloom.flows.rules.workbench import prove_rule

        found = self.get(page)
        others = self._pages_beside(found, _PROVEN)
        return prove_rule(text, self._stored(found, version), others, self._bench())

    def keep_rule(
        self, page: PageName, text: str, version: int | None = None, *, anyway: bool = False
    ) -> UserRule:
        """Keep a rule with the page that proves it: the page must be another without the rule.

        Args:
            page: the page that it was made on.
            text: the rule as YAML.
            version: of the page; the last when left out.
            anyway: keep it even where it makes other pages of the host worse.

        Raises:
            RuleError: it has a mistake, changes nothing, or makes another page worse.
        """
        from pageloom.edges.store.user_rules import put_rule
        from pageloom.flows.rules.workbench import expect_of, mistake_in, write_expected
        from pageloom.model.user_rules import UserRule

        trial = self.try_rule(page, text, version)
        if trial.is_wrong:
            raise mistake_in([each for each in trial.problems if each.level != "advice"])
        if trial.after is None:
            raise RuleError(f"The page cannot be read with the rule: {trial.trouble}")
        stored = self._stored(self.get(page), version)
        expected = write_expected(expect_of(trial, stored.url))
        if not anyway:
            self._require_proven(page, text, version)
        rule = UserRule(
            name=trial.name, text=text, url=stored.url, expected=expected, page=stored.body
        )
        put_rule(self._store, self.owner, rule)
        return self.user_rule(rule.name)

    def _require_proven(self, page: PageName, text: str, version: int | None) -> None:
        proofs = self.prove_rule(page, text, version)
        worse = [each for each in proofs if each.verdict == "worse"]
        if worse:
            names = ", ".join(str(each.page_id) for each in worse[:5])
            raise RuleError(
                f"The rule makes {len(worse)} of your other pages worse: {names}.",
                suggestions=("Narrow it, let it apply to this page alone, or keep it anyway.",),
                stage="rules",
            )

    def reread_host(self, url: str) -> int:
        """Read your pages of the host of a URL again, with the rules of now; how many changed."""
        from pageloom.core.rules.hosts import read_address
        from pageloom.model.pages import Filters

        wanted = Filters(domain=read_address(url).bare, archived="all")
        results = self.reparse(wanted, limit=_REREAD, restart=True)
        return sum(each.outcome == "reparsed" for each in results)

    def test_user_rules(self) -> list[CaseResult]:
        """Read the page of each of your rules with it and without it; both must be as kept."""
        import msgspec

        from pageloom.flows.rules.cases import Case, Expectation, run_case

        sealed = self.context.own_rules.sealed
        if sealed is None:
            return []
        book = sealed.open()
        results: list[CaseResult] = []
        for listed in self.user_rules():
            rule = self.user_rule(listed.name)
            expected = msgspec.json.decode(rule.expected, type=Expectation)
            results.append(run_case(Case(rule=rule.name, page=rule.page, expected=expected), book))
        return results

    def pick(self, page: PageName, number: int, version: int | None = None) -> Picked | None:
        """Selectors for an element of a page, the one that lasts longest first.

        They are scored on the stored versions of the page and on other pages of its host.

        Args:
            page: the page.
            number: the place of the element among all, as ``numbered_page`` has it.
            version: of the page; the last when left out.
        """
        from pageloom.flows.rules.workbench import pick_element

        found = self.get(page)
        chosen = self._stored(found, version)
        others = list(self._pages_beside(found, _OTHERS))
        return pick_element(chosen, number, self._other_versions(found, version), others)

    def numbered_page(self, page: PageName, version: int | None = None) -> str:
        """The original of a page as inert markup whose elements have numbers."""
        from pageloom.flows.rules.workbench import show_numbered

        return show_numbered(self._stored(self.get(page), version))

    def find_places(
        self, page: PageName, selectors: Sequence[str], version: int | None = None
    ) -> dict[str, tuple[int, ...]]:
        """The numbers of the elements that selectors find; those with a mistake are left out."""
        from pageloom.flows.rules.workbench import find_places

        return find_places(self._stored(self.get(page), version), selectors)

    def numbered_blocks(
        self, page: PageName, version: int | None = None
    ) -> list[tuple[int, BlockTrace]]:
        """The blocks of a page, kept or dropped, each with the number of its element."""
        from pageloom.flows.rules.workbench import number_texts

        found = self.get(page)
        read = self.explain(found, version)
        blocks = list(read.provenance.blocks[:_BLOCKS]) if read else []
        numbers = number_texts(self._stored(found, version), [each.text for each in blocks])
        return [each for each in zip(numbers, blocks, strict=True) if each[0] >= 0]

    def _bench(self) -> Workbench:
        from pageloom.flows.rules.workbench import Workbench

        return Workbench(rules=self.context.own_rules.sealed, options=self.settings.extraction)

    def _stored(self, page: Page, version: int | None = None) -> StoredPage:
        from pageloom.edges.store.bodies import read_body
        from pageloom.edges.store.versions import latest_version
        from pageloom.edges.store.versions import version as version_of
        from pageloom.flows.rules.workbench import StoredPage

        found = (
            latest_version(self._store, page)
            if version is None
            else version_of(self._store, page, version)
        )
        hash_ = found.info.body_hash if found else None
        body = read_body(self._store, page, hash_) if hash_ else None
        if found is None or body is None:
            raise NotInLibrary(
                "The original of this version was not kept.",
                suggestions=("Save the page again.",),
            )
        return StoredPage(
            url=page.final_url or page.url_full,
            body=body,
            content_type=found.info.content_type or "",
            page_id=page.id,
            title=page.title,
        )

    def _other_versions(self, page: Page, version: int | None) -> list[StoredPage]:
        """The other versions of a page whose originals are kept, each original once."""
        from pageloom.edges.store.versions import history

        infos = history(self._store, page, limit=200)
        chosen = version if version is not None else infos[0].number
        own = {info.body_hash for info in infos if info.number == chosen}
        hashes = dict.fromkeys(info.body_hash for info in infos if info.body_hash not in own)
        wanted = {info.body_hash: info.number for info in infos if info.body_hash in hashes}
        found: list[StoredPage] = []
        for number in list(wanted.values())[:_VERSIONS]:
            try:
                found.append(self._stored(page, number))
            except NotInLibrary:
                continue  # thinned out since
        return found

    def _pages_beside(self, page: Page, most: int) -> Iterator[StoredPage]:
        """Other pages of the host whose originals are kept."""
        from pageloom.edges.store.listing import walk_pages
        from pageloom.model.pages import Filters

        filters = Filters(domain=page.domain, archived="all")
        others = (each for each in walk_pages(self._store, self.owner, filters))
        return islice(self._kept(each for each in others if each.id != page.id), most)

    def _kept(self, pages: Iterator[Page]) -> Iterator[StoredPage]:
        for page in islice(pages, 5 * _PROVEN):
            try:
                yield self._stored(page)
            except NotInLibrary:
                continue
