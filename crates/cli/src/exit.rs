//! Exit codes, for scripts.

/// How a command ended that was able to do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Everything is done.
    Complete,
    /// It ended by itself, but a value is unknown or results are missing.
    Incomplete,
    /// Ctrl-C ended it; what was done until then is kept.
    Interrupted,
}

/// Bad input, or a failure.
pub(crate) const FAILURE: u8 = 2;
/// What a shell says of a program that Ctrl-C ended.
pub(crate) const INTERRUPTED: u8 = 130;

/// What the help of the program says of its exit codes.
pub(crate) const NOTES: &str = "\
Exit codes: 0 all done, 2 bad input or a failure, 3 a value is unknown or results are missing, \
130 interrupted (what is done is kept).";

impl Ending {
    pub(crate) fn code(self) -> u8 {
        match self {
            Ending::Complete => 0,
            Ending::Incomplete => 3,
            Ending::Interrupted => INTERRUPTED,
        }
    }
}

/// Commands that have no other ending.
impl From<()> for Ending {
    fn from((): ()) -> Ending {
        Ending::Complete
    }
}
