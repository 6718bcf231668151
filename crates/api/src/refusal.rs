//! What a refused request hears: a status and one line.

use spinney_session::PlayerError;

/// A refused request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status code of HTTP.
    pub status: u16,
    /// Why, for people.
    pub message: String,
}

impl Refusal {
    fn new(status: u16, message: impl ToString) -> Self {
        Refusal { status, message: message.to_string() }
    }

    /// The request cannot be understood.
    pub fn bad(message: impl ToString) -> Self {
        Refusal::new(400, message)
    }

    /// The player cannot be made; 403 if it would read files or start a program.
    pub(crate) fn player(error: PlayerError) -> Self {
        Refusal::new(if error.is_forbidden() { 403 } else { 400 }, error)
    }

    /// What it asks for is not there.
    pub fn missing(message: impl ToString) -> Self {
        Refusal::new(404, message)
    }

    /// It cannot be answered now.
    pub(crate) fn busy(message: impl ToString) -> Self {
        Refusal::new(409, message)
    }

    /// The request is understood, but its position, move or record is wrong.
    pub(crate) fn wrong(message: impl ToString) -> Self {
        Refusal::new(422, message)
    }

    /// The answer failed.
    pub(crate) fn failed(message: impl ToString) -> Self {
        Refusal::new(500, message)
    }
}
