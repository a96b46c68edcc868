# SPDX-License-Identifier: Apache-2.0
"""What a check of the laboratory is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class Report:
    """The outcome of one check: it passed if there are no problems."""

    checker: str
    objects: list[dict[str, Any]]
    problems: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether nothing was found."""
        return not self.problems


class Checker(Protocol):
    """One way to look at the library. It has to catch its own controls before it may report
    success.
    """

    @property
    def name(self) -> str:
        """What it is called in results."""

    @property
    def covers(self) -> str:
        """One sentence: what it sees and what it does not."""

    def run(self) -> Report:
        """Run the controls, then the check."""
