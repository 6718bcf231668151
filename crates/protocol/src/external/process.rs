//! Another program that talks in lines.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How long a program that is told to quit may take.
const QUIT_PATIENCE: Duration = Duration::from_millis(500);
/// Time between two looks whether a program has ended.
const LOOK: Duration = Duration::from_millis(5);

/// A running program. When it is dropped, the program is told to quit, killed if it does not, and
/// reaped.
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

/// What comes of listening.
pub(super) enum Heard {
    /// A line, without its end.
    Line(String),
    /// Nothing, for as long as one wanted to wait.
    Silence,
    /// The program has ended, or closed its output.
    End,
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
        // Ctrl-C is for us: we tell the program to stop.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("no pipe to the program"));
        };
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || listen(output, &sender));
        Ok(Process { child, input, lines })
    }

    /// Sends a line. A program that has ended is noticed when it is listened to.
    pub(super) fn send(&mut self, line: &str) {
        let _ = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
    }

    /// Waits for a line.
    pub(super) fn hear(&mut self, patience: Duration) -> Heard {
        match self.lines.recv_timeout(patience) {
            Ok(line) => Heard::Line(line),
            Err(RecvTimeoutError::Timeout) => Heard::Silence,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// How the program ended, if it has.
    pub(super) fn end(&mut self) -> String {
        match self.wait(QUIT_PATIENCE) {
            Some(status) => format!("the program ended ({status})"),
            None => "the program closed its output".to_owned(),
        }
    }

    fn wait(&mut self, patience: Duration) -> Option<std::process::ExitStatus> {
        let started = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if started.elapsed() < patience => thread::sleep(LOOK),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send("quit");
        if self.wait(QUIT_PATIENCE).is_none() {
            // Either it is killed, or it has just ended: it can be reaped in both cases.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn listen(output: ChildStdout, lines: &Sender<String>) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    while matches!(output.read_until(b'\n', &mut bytes), Ok(1..)) {
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        if lines.send(line).is_err() {
            return;
        }
        bytes.clear();
    }
}
