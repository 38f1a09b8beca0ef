"""Make the small language model that ships with the package.

    python tools/make_language_model.py [OUTPUT]

It takes the byte n-gram model that py3langid carries (BSD, see the notice beside the output), keeps
the languages below and the n-grams that tell most about them, and rounds the weights to bytes: the
same answers at a twentieth of the memory, without that package at run time.
"""

from __future__ import annotations

import io
import lzma
import sys
import zlib
from importlib.resources import files
from pathlib import Path

import numpy as np

LANGUAGES = frozenset(
    "af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy id"
    " is it ja ka kk km kn ko ku ky"
    " lo lt lv mk ml mn mr ms mt my ne nl nn no or pa pl ps pt ro ru si sk sl sq sr sv sw ta te tg"
    " th tk tl tr tt ug uk ur uz vi zh".split()
)
SMALL = frozenset("ms bs gl eo af tt tk tg ug ku mt ca ne".split())
"""Languages that short texts of a larger sister are taken for; they must win by more."""
HANDICAP, ADVANTAGE = -1.0, 0.3
FEATURES = 40_000
STEPS = 10
"""Steps of a byte per natural logarithm."""
TARGET = (
    Path(__file__).parent.parent / "src" / "pageloom" / "core" / "normalize" / "language_model.bin"
)


def main() -> int:
    """Write the model."""
    target = Path(sys.argv[1]) if sys.argv[1:] else TARGET
    packed = lzma.decompress(files("py3langid").joinpath("data/model.npz.xz").read_bytes())
    model = np.load(io.BytesIO(packed), allow_pickle=False)
    names = model["classes"].tolist()
    columns = [place for place, name in enumerate(names) if name in LANGUAGES]
    weights = model["ptc"].astype(np.float32)[:, columns]
    grams = _grams(model, _most_telling(weights))
    used = sorted(set(grams.values()))
    numbers = {feature: number for number, feature in enumerate(used)}
    keys = np.array(
        [int.from_bytes(gram, "big") | len(gram) << 56 for gram in grams], dtype=np.uint64
    )
    order = np.argsort(keys)
    rows = np.array([numbers[feature] for feature in grams.values()], dtype=np.uint16)[order]
    table = weights[used] - weights[used].max(axis=1, keepdims=True)
    rounded = np.clip(np.round(table * STEPS), -127, 0).astype(np.int8)
    labels = ["no" if names[place] == "nn" else names[place] for place in columns]
    priors = np.array(
        [
            HANDICAP
            if label in SMALL
            else ADVANTAGE
            if label in ("en", "es", "de", "fr", "ru")
            else 0.0
            for label in labels
        ]
    )
    buffer = io.BytesIO()
    np.savez(
        buffer,
        labels=np.array(labels),
        keys=keys[order],
        rows=rows,
        table=rounded,
        priors=priors.astype(np.float32),
    )
    target.write_bytes(zlib.compress(buffer.getvalue(), 9))
    print(f"{target}: {len(labels)} columns, {len(keys)} n-grams, {target.stat().st_size} bytes")
    return 0


def _most_telling(weights: np.ndarray) -> np.ndarray:
    """The features with the most mutual information with the languages."""
    chance = np.exp(weights)
    information = (chance * np.log(chance / chance.mean(axis=1, keepdims=True))).sum(axis=1)
    kept = np.zeros(len(weights), dtype=bool)
    kept[np.argsort(-information, kind="stable")[:FEATURES]] = True
    return kept


def _grams(model: dict[str, np.ndarray], kept: np.ndarray) -> dict[bytes, int]:
    """The byte string of every state of the automaton that reports a kept feature."""
    moves, row, output = (
        model["nextmove"].reshape(-1, 256),
        model["nextmove_row"],
        model["out_feat"],
    )
    texts, queue = {0: b""}, [0]
    for state in queue:
        for byte, following in enumerate(moves[row[state]].tolist()):
            if following not in texts:
                texts[following] = texts[state] + bytes([byte])
                queue.append(following)
    return {
        text: int(output[state])
        for state, text in texts.items()
        if text and output[state] >= 0 and kept[output[state]]
    }


if __name__ == "__main__":
    sys.exit(main())
