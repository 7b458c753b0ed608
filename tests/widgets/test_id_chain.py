"""A chain of ids: what a step paints anew."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QRegion
from pytestqt.qtbot import QtBot
from shown_parts import current_chip

from waypost.app.replay.cards.id_chain import IdChain
from waypost.domain.replay.id_chains import ChainLink

LINKS = tuple(
    ChainLink(text=f"n{n}", viewpoint_id=f"node_{n}", step=n, is_off=n == 4) for n in range(8)
)


def test_a_step_paints_the_two_chips_that_change(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = IdChain("Path")
    qtbot.addWidget(chain)
    chain.set_links(LINKS, 2)
    chain.resize(300, chain.heightForWidth(300))
    with qtbot.waitExposed(chain):
        chain.show()
    painted: list[int] = []
    paint = IdChain._paint

    def record(self: IdChain, painter: object, tokens: object, index: int, *rest: object) -> None:
        painted.append(index)
        paint(self, painter, tokens, index, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(IdChain, "_paint", record)
    chain.repaint()
    assert painted == list(range(8))
    painted.clear()
    asked: list[QRect] = []
    with monkeypatch.context() as patch:
        patch.setattr(chain, "update", asked.append)
        chain.set_links(LINKS, 3)
    # What the display asks for meanwhile would be painted as well.
    chain.repaint(QRegion(asked[0]) | QRegion(asked[1]))
    assert set(painted) == {2, 3}
    assert current_chip(chain) == "n3"
    assert chain._texts[4] == "✕ n4"


def test_another_chain_is_painted_whole(qtbot: QtBot) -> None:
    chain = IdChain("Path")
    qtbot.addWidget(chain)
    chain.set_links(LINKS, 2)
    chain.set_links(LINKS[:3], None)
    assert chain._texts == ("n0", "n1", "n2")
    assert current_chip(chain) == ""
    assert chain.chip_rect(5).isEmpty()
