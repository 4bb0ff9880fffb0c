"""What a refusal says: each has a sentence of its own, in every language."""

from collections.abc import Iterator

import pytest

from bot.core import refusals
from bot.core.refusals import Refusal
from bot.i18n import languages, words_for
from cogs.ui.guard import explain

CHANNEL = 33

ANSWERED_OTHERWISE = {refusals.TooLate}
"""What never reaches the guard: a press that comes too late gets a card of its own."""

CASES: list[Refusal] = [
    refusals.NoSuchQuiz(""),
    refusals.NoSuchQuiz("light"),
    refusals.RoundOpen(None),
    refusals.NothingToAsk(None),
    refusals.EmptyQuiz(),
    refusals.PermissionsMissing(CHANNEL, ("send_messages",)),
    refusals.WrongChannel(forum=True),
    refusals.WrongChannel(forum=False),
    refusals.NotAllowed(),
    refusals.NoRound(),
    refusals.NotHost(),
    refusals.NotOnTheTable(ended=True),
    refusals.NotOnTheTable(ended=False),
    refusals.Sealed(),
    refusals.NothingToReview(took_part=True),
    refusals.NothingToReview(took_part=False),
    refusals.RoundRunning(),
    refusals.ShuttingDown(),
    refusals.ChannelGone(),
]


def kinds(of: type[Refusal] = Refusal) -> Iterator[type[Refusal]]:
    """Yield every kind of refusal there is."""
    for kind in of.__subclasses__():
        if kind.__module__ == refusals.__name__:
            yield kind
        yield from kinds(kind)


def test_every_refusal_is_among_the_cases() -> None:
    assert {type(case) for case in CASES} == set(kinds()) - ANSWERED_OTHERWISE


@pytest.mark.parametrize("language", languages())
def test_every_refusal_has_a_sentence_of_its_own_in_every_language(language: str) -> None:
    said = [explain(case, words_for(language)) for case in CASES]
    assert all(said)
    assert len(set(said)) == len(CASES)
    if language != "en":
        english = {explain(case, words_for("en")) for case in CASES}
        assert english.isdisjoint(said)


def test_refusals_lead_to_where_things_stand() -> None:
    link = "https://discord.com/channels/1/2/3"
    for kind in (refusals.RoundOpen, refusals.NothingToAsk):
        assert explain(kind(link), words_for("en")).endswith(f" [Go there]({link})")
        assert explain(kind(link), words_for("tr")).endswith(f" [Oraya git]({link})")


def test_a_permission_without_a_name_of_ours_is_still_named() -> None:
    said = explain(refusals.PermissionsMissing(CHANNEL, ("add_reactions",)), words_for("en"))
    assert said.splitlines()[1:] == ["- add_reactions"]
