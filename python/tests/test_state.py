"""Games and states."""

import copy
import pickle
import random
import subprocess
import sys

import pytest

import spinney


def random_game(name: str, seed: int) -> spinney.State:
    """A state after a random game."""
    generator = random.Random(seed)
    state = spinney.load_game(name).new_initial_state()
    while not state.is_terminal() and len(state.history()) < 300:
        state.apply_action(generator.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("name", [*spinney.games(), "breakthrough:8x8"])
def test_random_games_obey_the_verbs(name: str) -> None:
    numbers: dict[int, str] = {}
    for seed in range(3):
        state = spinney.load_game(name).new_initial_state()
        generator = random.Random(seed)
        player = 0
        while not state.is_terminal() and len(state.history()) < 200:
            assert state.current_player() == player
            actions = state.legal_actions()
            assert actions == sorted(set(actions)) and actions
            assert [state.action_to_string(action) for action in actions] == state.legal_moves()
            action = generator.choice(actions)
            text = state.action_to_string(player, action)
            assert state.string_to_action(text) == action
            # A number stands for one move, in every position: its squares are the same.
            squares = text.replace("x", "-")
            assert numbers.setdefault(action, squares) == squares
            again = spinney.State(name, state.position)
            assert again.legal_actions() == actions
            child = state.child(action)
            state.apply_action(action if generator.random() < 0.5 else text)
            assert child == state and child.position == state.position
            player = 1 - player
        if state.is_terminal():
            assert state.current_player() == -4 and state.legal_actions() == []
        assert sum(state.returns()) == 0


def test_states_are_copied_and_pickled_with_their_moves() -> None:
    state = random_game("loa", 1)
    for other in (state.clone(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert other == state and other.moves() == state.moves()
        assert other.position == state.position and other.returns() == state.returns()
    start = spinney.load_game("loa").new_initial_state()
    before = start.position
    start.clone().apply_action(start.legal_actions()[0])
    assert start.position == before
    game = spinney.load_game("breakthrough:6x6")
    assert pickle.loads(pickle.dumps(game)) == game and len({game, spinney.load_game("breakthrough:6x6")}) == 1


def test_repetition_ends_a_game() -> None:
    state = spinney.load_game("chess").new_initial_state()
    for _ in range(2):
        for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
            assert not state.is_terminal()
            state.apply_action(move)
    assert state.is_terminal() and state.returns() == [0, 0]
    # The same position without its past is not over.
    assert not spinney.State("chess", state.position).is_terminal()


def test_mistakes_are_exceptions() -> None:
    state = spinney.load_game("chess").new_initial_state()
    with pytest.raises(spinney.MoveError, match="e2e5"):
        state.apply_action("e2e5")
    with pytest.raises(spinney.MoveError, match="99999"):
        state.apply_action(99999)
    with pytest.raises((OverflowError, TypeError)):
        state.apply_action(-1)
    with pytest.raises(spinney.PositionError):
        spinney.State("loa", "rubbish")
    with pytest.raises(spinney.GameError):
        spinney.load_game("breakthrough:99x99")
    with pytest.raises(spinney.PlayerError, match="did you mean"):
        spinney.player("uckt")
    with pytest.raises(spinney.PlayerError):
        spinney.player("mc-loa").analyse(state, spinney.Limit(simulations=1))
    with pytest.raises(spinney.SpinneyError):
        spinney.player("uct").analyse(state, spinney.Limit(simulations=0))
    with pytest.raises(ValueError):
        spinney.player("uct").analyse(state, spinney.Limit(simulations=5), multipv=0)
    assert state.moves() == []
    assert issubclass(spinney.MoveError, spinney.SpinneyError) and issubclass(spinney.SpinneyError, ValueError)


def test_the_program_is_part_of_the_package() -> None:
    command = [sys.executable, "-m", "spinney", "perft", "loa", "--depth", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split()[:2] == ["1", "36"]
    wrong = subprocess.run([sys.executable, "-m", "spinney", "perft", "lao"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "error:" in wrong.stderr and wrong.stdout == ""
