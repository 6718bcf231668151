"""The connection to a cluster."""

from __future__ import annotations

import logging

import ray


def connect(address: str | None) -> None:
    """Connects to a cluster, or starts one on this machine, unless that was done already."""
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
