"""What algorithms of OpenSpiel ask of a game beyond its states.

A `spinney.Game` and its states answer what OpenSpiel's do: legal actions and masks, observation tensors, returns,
`child`, `clone`, `undo_action`. So programs for OpenSpiel take them in place of its own.
"""

from __future__ import annotations

from types import SimpleNamespace

import pyspiel


def game_type(name: str) -> SimpleNamespace:
    """The facts that hold for every game of Spinney, with OpenSpiel's names.

    >>> import spinney
    >>> spinney.load_game("loa").get_type().information.name
    'PERFECT_INFORMATION'
    """
    kinds = pyspiel.GameType
    return SimpleNamespace(
        short_name=name,
        long_name=name,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        min_num_players=2,
        max_num_players=2,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
    )
