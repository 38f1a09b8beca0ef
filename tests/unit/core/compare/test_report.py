from __future__ import annotations

from dataclasses import replace

import pytest

import pageloom
from pageloom import ChangeReport, Document, SettingsError
from pageloom.core.compare.report import ImageChange, MetadataChange, TextChange, ValueChange

REPORT = ChangeReport(
    url="https://example.com/p/12",
    has_changes=True,
    changed_fields=("title", "text"),
    title=ValueChange(before="Old", after="New", changed=True),
    text=TextChange(changed=True, snippet="[+ new text - old text]", similarity=0.5),
    images=ImageChange(added=("https://example.com/new.png",), changed=True),
    metadata=MetadataChange(
        changes={"og:title": ValueChange(before="A", after="B", changed=True)}, changed=True
    ),
    snapshot_hash="1be6fa09",
)


def test_a_new_page_is_new_and_has_no_changes():
    report = pageloom.diff(None, Document(url="https://x.example/", title="Rain"))
    message = report.to_message("abc")
    assert (report.is_new, report.has_changes, report.verb) == (True, False, "new")
    assert message["isNew"] is True
    assert message["hasChanges"] is False
    assert message["previousVersion"] is None
    assert "diff" not in message


def test_equal_hashes_are_no_change():
    document = Document(title="Rain", change_hash="a")
    report = pageloom.diff(document, replace(document, title="never looked at"))
    assert report.same_hash
    assert not report.has_changes


def test_the_message_has_the_fixed_names():
    versioned = replace(REPORT, previous_version=2, current_version=3, baseline_version=1)
    message = versioned.to_message("abc123")
    assert message["jobId"] == "abc123"
    assert message["hasChanges"] is True
    assert message["diff"]["titleChanged"] is True
    assert message["diff"]["textDiff"] == "[+ new text - old text]"
    assert message["diff"]["metadataChanges"] == {"og:title": {"before": "A", "after": "B"}}
    assert message["diff"]["imageChanges"]["added"] == ["https://example.com/new.png"]
    assert message["diff"]["priceChanged"] is False
    assert (message["previousVersion"], message["currentVersion"]) == (2, 3)
    assert message["baselineVersion"] == 1
    assert message["snapshotHash"] == "1be6fa09"


def test_the_detailed_diff_has_the_fixed_names():
    detailed = replace(REPORT, previous_version=2, current_version=3).to_detailed()
    assert detailed["changes"]["title"] == {"before": "Old", "after": "New", "changed": True}
    assert detailed["changes"]["text"]["diffSnippet"] == "[+ new text - old text]"
    assert detailed["changes"]["text"]["similarity"] == 0.5
    assert detailed["changes"]["images"] == {
        "added": ["https://example.com/new.png"],
        "removed": [],
        "changed": True,
    }
    assert detailed["changes"]["metadata"] == {"og:title": {"before": "A", "after": "B"}}
    assert detailed["version"]["previous"] == 2
    assert detailed["version"]["current"] == 3


def test_a_report_survives_json():
    assert ChangeReport.from_dict(REPORT.to_dict()) == REPORT


def test_options_may_be_a_mapping_and_are_checked():
    page = Document(title="Rain")
    assert not pageloom.diff(page, page, {"text_threshold": 0.5}).has_changes
    with pytest.raises(SettingsError, match="text_treshold"):
        pageloom.diff(page, page, {"text_treshold": 0.5})
