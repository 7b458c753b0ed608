"""Parts of a column that take a share of its height, however much they would like to show."""

from __future__ import annotations


class SharesHeight:
    """Mixed into a widget in a layout with stretch factors; its vertical policy is ``Ignored``.

    The height that wrapped words ask for would count as the least one, and where there is too
    little for all parts a layout makes them equally high, whatever their stretch factors.
    """

    def hasHeightForWidth(self) -> bool:
        """Its words wrap, but it scrolls."""
        return False
