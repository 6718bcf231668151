"""Players."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from spinney import _native
from spinney.analysis import ONE_SECOND, Analysis, Limit


class Player:
    """Someone who can say what to play.

    A player keeps what it knows from one search to the next if its options say so (`reuse=on`), and
    its random numbers go on; `new_game` begins anew. Searches run without the interpreter's lock; Ctrl-C
    ends them with KeyboardInterrupt.
    """

    def __init__(self, spec: str, seed: int = 0, limit: Limit = ONE_SECOND) -> None:
        self._native = _native.Player(spec, seed)
        self.seed = seed
        self.limit = limit

    @property
    def spec(self) -> str:
        """The name with the options."""
        return self._native.spec

    def analyse(
        self,
        state: _native.State,
        limit: Limit | None = None,
        multipv: int | None = None,
        progress: Callable[[Analysis], object] | None = None,
    ) -> Analysis:
        """Search a state, with `multipv` candidates at most in the answer.

        `progress` is called some ten times a second with what is known so far.

        >>> import spinney
        >>> state = spinney.State("chess", "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
        >>> found = player("mcc-combined").analyse(state, Limit(simulations=500), multipv=1)
        >>> found.proven, found.plies, len(found.candidates)
        ('win', 1, 1)
        """
        def show(text: str) -> None:
            if progress is not None:
                progress(Analysis.from_json(text).first(multipv))

        told = None if progress is None else show
        text = self._native.analyse(state, str(limit or self.limit), told)
        return Analysis.from_json(text).first(multipv)

    def step(self, state: _native.State) -> int:
        """The action to play, within the player's own limit.

        >>> import spinney
        >>> state = spinney.load_game("tictactoe").new_initial_state()
        >>> player("random", seed=3).step(state) in state.legal_actions()
        True
        """
        best = self.analyse(state).best
        if best is None:
            raise _native.MoveError("the game is over")
        return state.string_to_action(best)

    def merge(self, state: _native.State, analyses: Iterable[Analysis]) -> Analysis:
        """Join independent analyses of a state by players like this one, as root parallelism does.

        Visits and scores of the moves are added up, and the best move is chosen from the sums by the
        rule of the player. All candidates are needed: analyse without `multipv`.

        >>> import spinney
        >>> state = spinney.load_game("breakthrough").new_initial_state()
        >>> limit = Limit(simulations=100)
        >>> parts = [player("uct:stop-early=off", seed=s).analyse(state, limit) for s in range(3)]
        >>> whole = player("uct").merge(state, parts)
        >>> whole.simulations, sum(candidate.visits for candidate in whole.candidates)
        (300, 300)
        """
        texts = [analysis.to_json() for analysis in analyses]
        return Analysis.from_json(self._native.merge(state, texts))

    def new_game(self, seed: int) -> None:
        """Forget what is known from earlier searches, and start the random numbers anew."""
        self.seed = seed
        self._native.new_game(seed)

    def __repr__(self) -> str:
        return f"player({self.spec!r}, seed={self.seed})"


def player(spec: str, seed: int = 0, limit: Limit = ONE_SECOND) -> Player:
    """A player by its name, perhaps with options: `name:key=value,key=value`.

    >>> player("mc-loa:strategy=mixed")
    player('mc-loa:strategy=mixed', seed=0)
    >>> player("uct:speed=high")
    Traceback (most recent call last):
    ...
    spinney.PlayerError: ...speed...
    """
    return Player(spec, seed, limit)
