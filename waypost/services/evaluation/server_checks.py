"""Collect, while a result file is checked, why evaluation servers would refuse it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from waypost.domain.base.counted_words import counted
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.episode.server_rules import SERVERS, Refusal, Server, ServerVerdict
from waypost.io.read_log import ReadLog


@dataclass(slots=True)
class ServerChecks:
    """The servers that a result file may go to.

    Args:
        format_name: Of the result file.
        datasets: Of the annotations; none where none were given.
        has_graphs: Whether moves could be compared with graphs.
    """

    format_name: str
    datasets: frozenset[str]
    has_graphs: bool
    _forms: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Server and what is wrong with the form of a run → how many runs."""

    _first: dict[tuple[str, str], str] = field(default_factory=dict)

    @property
    def servers(self) -> tuple[Server, ...]:
        """Those that take files of this format for these episodes."""
        return tuple(
            server
            for server in SERVERS
            if self.format_name in server.formats
            and (not self.datasets or self.datasets <= server.datasets)
        )

    def read(self, runs: Iterable[EpisodeRun]) -> Iterator[EpisodeRun]:
        """Pass runs on, looking at the records they came from."""
        checked = [server for server in self.servers if server.unreadable is not None]
        for run in runs:
            for server in checked:
                wrong = server.unreadable(run.record) if server.unreadable is not None else ""
                if wrong:
                    self._forms[server.name, wrong] += 1
                    self._first.setdefault((server.name, wrong), run.episode_id)
            yield run

    def verdicts(self, log: ReadLog) -> tuple[ServerVerdict, ...]:
        """What the servers would say, by all that was found about the file."""
        return tuple(self._verdict(server, log) for server in self.servers)

    def _verdict(self, server: Server, log: ReadLog) -> ServerVerdict:
        refusals = [
            Refusal(f"{counted(count, 'run')} with {wrong}", count, self._first[name, wrong])
            for (name, wrong), count in self._forms.items()
            if name == server.name
        ]
        for kind, words in server.refused.items():
            if log.counts[kind]:
                refusals.append(_refusal(kind, words, log))
        lacking = [] if self.datasets else ["--annotations"]
        lacking += ["--connectivity"] if server.needs_graph and not self.has_graphs else []
        unchecked = f"give {' and '.join(lacking)} to check all of it" if lacking else ""
        return ServerVerdict(server.name, server.source, tuple(refusals), unchecked)


def _refusal(kind: ImportKind, words: tuple[str, str], log: ReadLog) -> Refusal:
    first = next((found for found in log.findings if found.kind is kind), None)
    place = "" if first is None else first.item_id
    if first is not None and first.step is not None:
        place += f", step {first.step}"
    return Refusal(counted(log.counts[kind], *words), log.counts[kind], place)
