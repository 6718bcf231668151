//! What can be wrong, as exceptions. All are kinds of `SpinneyError`, which is a `ValueError`.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(spinney, SpinneyError, PyValueError, "Something that Spinney refuses.");
create_exception!(spinney, GameError, SpinneyError, "A text that names no game.");
create_exception!(spinney, PositionError, SpinneyError, "A text that is no position.");
create_exception!(spinney, MoveError, SpinneyError, "A move that is not legal here.");
create_exception!(spinney, PlayerError, SpinneyError, "A player that cannot be, or that failed.");
