//! Another program that talks in lines.
//!
//! Nothing that the program does or fails to do makes us wait without end or keep without bound: a
//! thread reads its lines, each of bounded length, into a queue of bounded length, and another thread
//! writes from such a queue to its standard input. A program that writes faster than it is listened
//! to has to wait.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::thread;
use std::time::Duration;

use super::group::Group;

/// The answer to `isready`.
pub(super) const READY: &str = "readyok";
/// How long a program that is told to quit may take.
const QUIT_PATIENCE: Duration = Duration::from_millis(500);
/// The most bytes of a line, its end included.
const MAX_LINE: usize = 64 * 1024;
/// The most lines that are read before they are listened to.
const MAX_UNHEARD: usize = 64;
/// The most messages that wait until the program reads them. Every exchange of the conversation
/// awaits an answer, so only a program that answers without reading can exceed it.
const MAX_UNREAD: usize = 16;

/// A running program. When it is dropped, the program is told to quit; then everything that is left
/// of it and its children is killed.
pub(super) struct Process {
    group: Group,
    input: SyncSender<String>,
    output: Receiver<Output>,
    /// Number of times that `isready` was sent and not answered.
    unanswered: u32,
}

/// What the program has written.
enum Output {
    /// A line, without blanks at its ends.
    Line(String),
    /// The start of a line that is too long. Nothing is read after it.
    TooLong,
}

impl Process {
    /// Starts a program with its arguments.
    pub(super) fn start(command: &[String]) -> io::Result<Process> {
        let [program, arguments @ ..] = command else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "no program is named"));
        };
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C does not reach the program in its group: we tell it to stop.
        let mut group = Group::start(&mut command)?;
        let (stdin, stdout) = (group.program().stdin.take(), group.program().stdout.take());
        let (Some(stdin), Some(stdout)) = (stdin, stdout) else {
            return Err(io::Error::other("no pipe to the program"));
        };
        let (input, to_write) = mpsc::sync_channel(MAX_UNREAD);
        let (heard, output) = mpsc::sync_channel(MAX_UNHEARD);
        thread::Builder::new().spawn(move || write(stdin, &to_write))?;
        thread::Builder::new().spawn(move || listen(stdout, &heard))?;
        Ok(Process { group, input, output, unanswered: 0 })
    }

    /// Sends lines, each with its end. Never blocks. A program that has ended, or does not read, is
    /// noticed when it is listened to.
    pub(super) fn send(&mut self, lines: &str) -> Result<(), String> {
        match self.input.try_send(lines.to_owned()) {
            Err(TrySendError::Full(_)) => Err("the program does not read its input".to_owned()),
            Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
        }
    }

    /// Asks whether the program has followed all commands.
    pub(super) fn ask_ready(&mut self) -> Result<(), String> {
        self.unanswered += 1;
        self.send("isready\n")
    }

    /// Whether the program has answered every [`Process::ask_ready`]. An answer that comes after the
    /// end of a search is thus not taken for that to a later question.
    pub(super) fn is_ready(&self) -> bool {
        self.unanswered == 0
    }

    /// Waits for a line, which comes without blanks at its ends. `None` if there is none in time, an
    /// error if there will be no more.
    pub(super) fn hear(&mut self, patience: Duration) -> Result<Option<String>, String> {
        match self.output.recv_timeout(patience) {
            Ok(Output::Line(line)) => {
                if line == READY {
                    self.unanswered = self.unanswered.saturating_sub(1);
                }
                Ok(Some(line))
            }
            Ok(Output::TooLong) => Err(format!("a line of more than {MAX_LINE} bytes")),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(match self.group.wait(QUIT_PATIENCE) {
                Some(status) => format!("the program ended ({status})"),
                None => "the program closed its output".to_owned(),
            }),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The program is killed if this cannot be sent.
        let _ = self.send("quit\n");
        self.group.wait(QUIT_PATIENCE);
    }
}

/// Writes what comes from `lines`. Ends when the [`Process`] is dropped or the program has closed its
/// input; a write that blocks ends when the program is killed.
fn write(mut stdin: ChildStdin, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv()
        && stdin.write_all(line.as_bytes()).is_ok()
    {}
}

/// Reads lines until the program ends, closes its output or writes too long a line.
fn listen(stdout: ChildStdout, lines: &SyncSender<Output>) {
    let mut stdout = BufReader::new(stdout);
    let mut bytes = Vec::new();
    while matches!(stdout.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut bytes), Ok(1..)) {
        let is_too_long = bytes.len() == MAX_LINE && !bytes.ends_with(b"\n");
        let output = if is_too_long {
            Output::TooLong
        } else {
            Output::Line(String::from_utf8_lossy(&bytes).trim().to_owned())
        };
        if lines.send(output).is_err() || is_too_long {
            return;
        }
        bytes.clear();
    }
}
