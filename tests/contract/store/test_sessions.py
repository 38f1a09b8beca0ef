"""Sessions, sign-in links, users and server keys, on both databases."""

from __future__ import annotations

import pytest

from pageloom.edges.store.sessions import (
    add_session,
    end_session,
    end_sessions,
    find_session,
    list_sessions,
    server_key,
    use_link,
)
from pageloom.edges.store.users import (
    find_token,
    find_user,
    has_passwords,
    make_token,
    password_hash,
    set_password,
    set_preferences,
    set_role,
)


def test_a_session_is_known_by_its_secret_until_it_ends(store):
    secret = add_session(store, "ann", seconds=60, label="Firefox")
    found = find_session(store, secret, seconds=60)
    assert (found.owner, found.label) == ("ann", "Firefox")
    assert find_session(store, secret[:-1], seconds=60) is None
    assert not end_session(store, "eve", found.id)
    assert end_session(store, "ann", found.id)
    assert find_session(store, secret, seconds=60) is None


def test_the_secret_of_a_session_is_not_in_the_database(store):
    secret = add_session(store, "ann", seconds=60)
    with store.read() as tx:
        assert secret not in str(tx.all("SELECT * FROM sessions"))


def test_a_session_that_was_not_used_expires_and_is_removed(store):
    secret = add_session(store, "ann", seconds=-1)
    assert find_session(store, secret, seconds=60) is None
    assert list_sessions(store, "ann") == []
    add_session(store, "ann", seconds=60)
    with store.read() as tx:
        assert tx.value("SELECT count(*) FROM sessions") == 1


def test_a_session_in_use_lives_on(store):
    secret = add_session(store, "ann", seconds=60)
    with store.write() as tx:
        tx.run("UPDATE sessions SET last_seen_at = '2020-01-01T00:00:00.000Z'")
    before = find_session(store, secret, seconds=600).expires_at
    assert find_session(store, secret, seconds=600).expires_at > before


def test_a_link_signs_in_once_and_is_no_session(store):
    secret = add_session(store, "ann", seconds=60, kind="link")
    assert find_session(store, secret, seconds=60) is None
    assert list_sessions(store, "ann") == []
    assert use_link(store, secret) == "ann"
    assert use_link(store, secret) is None
    assert use_link(store, add_session(store, "ann", seconds=-1, kind="link")) is None
    assert use_link(store, add_session(store, "ann", seconds=60)) is None


def test_all_sessions_of_a_user_end_at_once(store):
    secrets = [add_session(store, "ann", seconds=60) for _ in range(2)]
    other = add_session(store, "eve", seconds=60)
    assert end_sessions(store, "ann") == 2
    assert all(find_session(store, secret, seconds=60) is None for secret in secrets)
    assert find_session(store, other, seconds=60)


def test_users_have_roles_preferences_and_perhaps_a_password(store):
    local = find_user(store, "local")
    assert (local.role, local.has_password, local.preferences) == ("admin", False, {})
    assert find_user(store, "ann") is None
    assert not has_passwords(store)
    set_role(store, "ann", "reader")
    set_password(store, "ann", "hash")
    set_preferences(store, "ann", {"theme": "sepia"})
    ann = find_user(store, "ann")
    assert (ann.role, ann.has_password, ann.preferences) == ("reader", True, {"theme": "sepia"})
    assert password_hash(store, "ann") == "hash"
    assert password_hash(store, "nobody") == ""
    assert has_passwords(store)


@pytest.mark.parametrize("scopes", [("read",), ("read", "save", "write", "watch", "admin")])
def test_a_token_knows_what_it_may_do(store, scopes):
    assert find_token(store, make_token(store, "ann", scopes=scopes)).scopes == scopes


def test_a_token_of_an_older_library_may_do_what_it_could_before(store):
    token = make_token(store, "ann")
    assert find_token(store, token).scopes == ("read", "save", "write", "watch")


def test_a_key_of_the_server_stays_the_same(store):
    assert server_key(store, "media") == server_key(store, "media")
    assert server_key(store, "media") != server_key(store, "other")
    assert len(server_key(store, "media")) == 32
