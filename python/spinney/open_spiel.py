"""OpenSpiel's bots in our matches, and our players as OpenSpiel's bots: LOA, Breakthrough and chess.

The two programs write moves differently and disagree on some rules. Whose match it is decides by its own
rules; here is what becomes of the differences:

- LOA. OpenSpiel ends a game at the first repetition of the board, we at the third occurrence with the
  same side to move: loops are left out when our game is shown to OpenSpiel. A side without moves has
  lost there and passes here.
- Breakthrough. Their first player has the upper side of the board, ours the lower: ranks are mirrored.
  On five ranks they have one row of men a side and we have two: these boards are refused.
- Chess. White is player 1 there and player 0 here.
- Where a game is over for the one who is asked and not for the one who asks, a random move is played, and
  counted in `fallbacks`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from typing import Any

import pyspiel

from spinney import _native
from spinney.playing import Player


def spiel_name(game: _native.Game | str) -> str:
    """OpenSpiel's name of our game.

    >>> spiel_name("loa"), spiel_name("breakthrough:6x8")
    ('lines_of_action', 'breakthrough(columns=6,rows=8)')
    """
    name = game if isinstance(game, str) else game.name
    if name.partition(":")[0] == "loa":
        return "lines_of_action"
    if name == "chess":
        return "chess"
    if name.partition(":")[0] == "breakthrough":
        size = re.search(r"(\d+)x(\d+)", name)
        columns, rows = size.groups() if size else ("5", "5")
        _check_ranks(int(rows))
        return f"breakthrough(columns={columns},rows={rows})"
    raise _native.GameError(f"{name}: OpenSpiel is asked for loa, breakthrough and chess only")


def _check_ranks(rows: int) -> None:
    if rows == 5:
        raise _native.GameError("breakthrough: on five ranks OpenSpiel starts with other men")


def our_game(spiel_game: Any) -> _native.Game:
    """Our game for OpenSpiel's.

    >>> our_game(pyspiel.load_game("breakthrough(columns=6,rows=8)")).name
    'breakthrough:6x8'
    """
    name = spiel_game.get_type().short_name
    if name == "lines_of_action":
        return _native.Game("loa")
    if name == "breakthrough":
        size = spiel_game.get_parameters()
        _check_ranks(size["rows"])
        return _native.Game(f"breakthrough:{size['columns']}x{size['rows']}")
    return _native.Game(name)


def corresponding(ours: _native.State, spiel: Any) -> dict[int, int]:
    """OpenSpiel's actions for ours, of all moves that are legal in both states."""
    actions = {}
    for action in spiel.legal_actions():
        text = spiel.action_to_string(spiel.current_player(), action)
        if spiel.get_game().get_type().short_name == "breakthrough":
            rows = spiel.get_game().get_parameters()["rows"]
            origin, target = re.findall(r"([a-z])(\d+)", text)
            files = (f"{file}{rows + 1 - int(rank)}" for file, rank in (origin, target))
            text = ("x" if "*" in text else "-").join(files)
        try:
            actions[ours.string_to_action(text)] = action
        except _native.MoveError:
            continue
    return actions


def _without_loops(state: _native.State) -> list[int]:
    """Moves to the same position that visit none twice."""
    replayed = _native.State(state.get_game().name, state.start)
    way: list[int] = []
    seen = [replayed.position]
    for action in state.history():
        replayed.apply_action(action)
        if replayed.position in seen:
            place = seen.index(replayed.position)
            del way[place:], seen[place + 1 :]
        else:
            way.append(action)
            seen.append(replayed.position)
    return way


class _Replay:
    """Our game played again in OpenSpiel, from its start."""

    def __init__(self, state: _native.State) -> None:
        game = state.get_game()
        spiel_game = pyspiel.load_game(spiel_name(game))
        self.is_chess = game.name == "chess"
        if self.is_chess:
            self.spiel = spiel_game.new_initial_state(state.start)
        elif state.start == game.new_initial_state().position:
            self.spiel = spiel_game.new_initial_state()
        else:
            raise _native.PositionError(f"{state.start}: OpenSpiel has no such start")
        self.ours = _native.State(game.name, state.start)

    def advance(self, state: _native.State) -> bool:
        """Plays on to a later state of the game; False if it cannot."""
        way = state.history() if self.is_chess else _without_loops(state)
        done = self.ours.history()
        if self.ours.start != state.start or way[: len(done)] != done:
            return False
        for action in way[len(done) :]:
            move = corresponding(self.ours, self.spiel).get(action)
            if move is None:
                return False
            self.spiel.apply_action(move)
            self.ours.apply_action(action)
        return True


def to_spiel(state: _native.State) -> Any | None:
    """OpenSpiel's state for ours; None if it has none."""
    try:
        replay = _Replay(state)
    except _native.PositionError:
        return None
    return replay.spiel if replay.advance(state) else None


def from_spiel(spiel: Any) -> _native.State:
    """Our state for OpenSpiel's. Raises MoveError where our game ended before theirs."""
    game = our_game(spiel.get_game())
    replayed = spiel.get_game().new_initial_state()
    start = None
    if game.name == "chess":
        start = spiel.starting_state_str() or None
        replayed = spiel.get_game().new_initial_state(start) if start else replayed
    state = game.new_initial_state(start)
    for move in spiel.history():
        actions = {theirs: ours for ours, theirs in corresponding(state, replayed).items()}
        if move not in actions:
            raise _native.MoveError(f"move {replayed.action_to_string(move)}: not legal here")
        state.apply_action(actions[move])
        replayed.apply_action(move)
    return state


class OpenSpielPlayer:
    """A bot of OpenSpiel as a player of `spinney.match`.

    `make_bot` makes the bot for the side of a player, by OpenSpiel's number: bots that know their side
    must not be asked for the other one.

    >>> import spinney
    >>> bot = OpenSpielPlayer(lambda side: pyspiel.make_uniform_random_bot(side, 7))
    >>> result = spinney.match("breakthrough:6x6", "uct", bot, 2, spinney.Limit(simulations=300))
    >>> result.wins_a, result.forfeits_b, bot.fallbacks
    (2, 0, 0)
    """

    def __init__(self, make_bot: Callable[[int], Any], name: str = "OpenSpiel", seed: int = 0) -> None:
        self.name = name
        self._make_bot = make_bot
        self._bots: dict[int, Any] = {}
        self._replay: _Replay | None = None
        self.fallbacks = 0
        """Moves drawn at random because the game was over for OpenSpiel."""
        self._random = random.Random(seed)

    def new_game(self, seed: int) -> None:
        """Prepare for another game."""
        self._random.seed(seed)
        for bot in self._bots.values():
            bot.restart()

    def step(self, state: _native.State) -> int:
        """The bot's move."""
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        spiel = self._follow(state)
        if spiel is not None and not spiel.is_terminal():
            side = spiel.current_player()
            if side not in self._bots:
                self._bots[side] = self._make_bot(side)
            move = self._bots[side].step(spiel)
            ours = {theirs: ours for ours, theirs in corresponding(state, spiel).items()}
            if move in ours:
                return ours[move]
        self.fallbacks += 1
        return self._random.choice(legal)

    def _follow(self, state: _native.State) -> Any | None:
        """OpenSpiel's state for ours, from the last one if the game went on."""
        if self._replay is None or not self._replay.advance(state):
            try:
                self._replay = _Replay(state)
            except _native.PositionError:
                return None
            if not self._replay.advance(state):
                self._replay = None
        return self._replay and self._replay.spiel

    def __repr__(self) -> str:
        return self.name


class SpinneyBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our players as a bot of OpenSpiel.

    >>> import spinney
    >>> game = pyspiel.load_game("lines_of_action")
    >>> bot = SpinneyBot(spinney.player("uct", limit=spinney.Limit(simulations=50)))
    >>> state = game.new_initial_state()
    >>> bot.step(state) in state.legal_actions()
    True
    """

    def __init__(self, player: Player) -> None:
        super().__init__()
        self.player = player
        self.fallbacks = 0
        """Moves drawn at random because the game was over for us."""
        self._random = random.Random(player.seed)

    def restart_at(self, _state: Any) -> None:
        """Prepare for another game, which may be under way."""
        self.player.new_game(self.player.seed)

    def restart(self) -> None:
        """Prepare for another game."""
        self.player.new_game(self.player.seed)

    def step(self, spiel: Any) -> int:
        """The player's move."""
        move = self._search(spiel)
        if move is None:
            self.fallbacks += 1
            return int(self._random.choice(spiel.legal_actions()))
        return move

    def _search(self, spiel: Any) -> int | None:
        try:
            state = from_spiel(spiel)
        except _native.MoveError:
            return None
        if state.is_terminal():
            return None
        return corresponding(state, spiel).get(self.player.step(state))

    def step_with_policy(self, spiel: Any) -> tuple[Iterable[tuple[int, float]], int]:
        """The player's move, and that it plays it for certain."""
        move = self.step(spiel)
        return [(action, float(action == move)) for action in spiel.legal_actions()], move
