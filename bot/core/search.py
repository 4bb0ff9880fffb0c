"""How texts are compared when people search: "budama", "BUDAMA" and "Budama" are one word, as are ışık and ISIK."""

import unicodedata

# Turkish has two letters I; who searches on a foreign keyboard types the other one. ı has no decomposition.
_DOTLESS = str.maketrans({"ı": "i"})


def fold(text: str) -> str:
    """Return a text without case, accents, the dot of an i, and surplus white space."""
    # Twice: "™" decomposes to capitals, and folding case composes again.
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    plain = "".join(mark for mark in decomposed if not unicodedata.combining(mark))
    return " ".join(plain.translate(_DOTLESS).split())


def matches(needle: str, *texts: str) -> bool:
    """Tell whether every word of the needle begins a word of, or is contained in, one of the texts."""
    hay = " ".join(fold(text) for text in texts)
    return all(word in hay for word in fold(needle).split())
