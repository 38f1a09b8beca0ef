"""MinHash with one permutation finds what exact comparison finds."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.archives import words

from pageloom.core.enrich.minhash import BANDS, band_hashes, minhash
from pageloom.core.enrich.near_duplicate import mix, word_codes


def runs(text: list[str]) -> set[tuple[str, ...]]:
    return {tuple(text[start : start + 5]) for start in range(len(text) - 4)}


def likeness(one: list[str], other: list[str]) -> float:
    """Exact Jaccard similarity of the runs of five words."""
    return len(runs(one) & runs(other)) / len(runs(one) | runs(other))


def changed(text: list[str], count: int, chance: random.Random) -> list[str]:
    found = list(text)
    for place in chance.sample(range(len(found)), count):
        found[place] = f"other{chance.randrange(10_000)}"
    return found


def planted(seed: int, length: int, pairs: int) -> list[tuple[list[str], list[str], float]]:
    chance = random.Random(seed)  # noqa: S311  no secret
    found = []
    for number in range(pairs):
        text = words(seed * 1000 + number, length)
        other = changed(text, chance.randrange(length // 9), chance)
        found.append((text, other, likeness(text, other)))
    return found


def values(text: list[str]) -> np.ndarray:
    found = minhash(" ".join(text))
    assert found is not None
    return found


def plain(text: list[str]) -> np.ndarray:
    """112 values by as many permutations."""
    codes = word_codes(" ".join(text))
    seeds = mix(np.arange(1, 6, dtype=np.uint64))
    shingles = mix(sum(codes[n : len(codes) - 4 + n] * seeds[n] for n in range(5)))
    factors = mix(np.arange(100, 212, dtype=np.uint64)) | np.uint64(1)
    return mix(shingles[None, :] * factors[:, None]).min(axis=1)


def meet(one: np.ndarray, other: np.ndarray) -> bool:
    return bool((band_hashes(one) == band_hashes(other)).any())


@pytest.mark.parametrize("length", [60, 150, 600])
def test_the_share_of_equal_values_is_that_of_common_runs_as_with_many_permutations(length):
    pairs = planted(length, length, 150)
    wrong = {
        name: np.array([(make(a) == make(b)).mean() - like for a, b, like in pairs])
        for name, make in {"one": values, "many": plain}.items()
    }
    assert abs(wrong["one"].mean()) < 0.02
    assert wrong["one"].std() < 1.25 * wrong["many"].std() + 0.005


def test_planted_duplicates_are_found_and_others_are_not():
    pairs = [pair for length in (60, 150, 600) for pair in planted(length + 1, length, 150)]
    alike = [meet(values(a), values(b)) for a, b, like in pairs if like >= 0.8]
    assert len(alike) > 100
    assert sum(alike) / len(alike) >= 0.95
    texts = [values(words(10_000 + number, 200)) for number in range(150)]
    met = sum(meet(texts[n], texts[m]) for n in range(150) for m in range(n))
    assert sum(alike) / (sum(alike) + met) >= 0.98


def test_short_texts_are_not_compared_and_the_same_text_is_the_same():
    assert minhash(" ".join(words(1, 49))) is None
    text = words(2, 80)
    assert (values(text) == values([word.upper() for word in text])).all()
    assert band_hashes(values(text)).shape == (BANDS,)
