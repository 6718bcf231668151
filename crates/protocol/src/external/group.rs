//! A program in a process group of its own, which ends as a whole.
//!
//! A program may start others, or be started by a shell; killing it alone would leave them behind.
//! On Unix all of them are in one process group, whose leader is a *guard*: a shell that waits for
//! the end of its standard input and then kills the group. The other end of that pipe is ours.
//!
//! - When a [`Group`] is dropped, the group is killed.
//! - When this process dies, even by `SIGKILL`, the kernel closes the pipe, and the guard kills the
//!   group. The parent-death signal of Linux would reach the program but not its children, and would
//!   be sent at the end of the thread that started the program.
//! - The guard starts before the program, so the program is never without it.
//! - The guard kills its own group (`kill 0`), and we kill that of a child which we have not reaped:
//!   neither can hit a group that got the same number later.
//!
//! Programs that leave the group (`setsid`, `setpgid`) are out of reach: of those only the program
//! itself is killed, and only when the [`Group`] is dropped. Other systems than Unix have no groups;
//! there too only the program itself is killed.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// How long the end of a killed process is waited for. Only the kernel can delay it.
const KILL_PATIENCE: Duration = Duration::from_secs(5);
/// Time between two looks whether a process has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// A running program, its guard and all processes of its group. They are killed when it is dropped.
pub(super) struct Group {
    program: Child,
    #[cfg(unix)]
    _guard: guard::Guard,
}

impl Group {
    /// Starts a program in a group of its own.
    pub(super) fn start(command: &mut Command) -> io::Result<Group> {
        #[cfg(unix)]
        let guard = guard::Guard::start()?;
        #[cfg(unix)]
        guard.adopt(command);
        let program = command.spawn()?;
        Ok(Group {
            program,
            #[cfg(unix)]
            _guard: guard,
        })
    }

    /// The program itself.
    pub(super) fn program(&mut self) -> &mut Child {
        &mut self.program
    }

    /// Waits for the end of the program. `None` if it runs on.
    pub(super) fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        wait(&mut self.program, patience)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // An error means that it has ended. The guard, dropped next, kills the rest of the group.
        let _ = self.program.kill();
        self.wait(KILL_PATIENCE);
    }
}

fn wait(child: &mut Child, patience: Duration) -> Option<ExitStatus> {
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if started.elapsed() < patience => thread::sleep(POLL_INTERVAL),
            Ok(None) | Err(_) => return None,
        }
    }
}

#[cfg(unix)]
mod guard {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};

    use rustix::process::{Pid, Signal, kill_process_group};

    use super::{KILL_PATIENCE, wait};

    const SHELL: &str = "/bin/sh";
    /// The guard ignores the signals that a program may send to its whole group.
    const SCRIPT: &str = "trap '' HUP INT QUIT TERM ALRM USR1 USR2; read -r line; kill -KILL 0";

    /// The leader of a process group. It kills the group when its standard input ends, and the group is
    /// killed when it is dropped.
    pub(super) struct Guard {
        shell: Child,
    }

    impl Guard {
        pub(super) fn start() -> io::Result<Guard> {
            let shell = Command::new(SHELL)
                .args(["-c", SCRIPT])
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .process_group(0)
                .spawn()
                .map_err(|error| io::Error::new(error.kind(), format!("{SHELL}: {error}")))?;
            Ok(Guard { shell })
        }

        /// Makes the process of `command` a member of the group.
        pub(super) fn adopt(&self, command: &mut Command) {
            command.process_group(Pid::from_child(&self.shell).as_raw_pid());
        }
    }

    impl Drop for Guard {
        fn drop(&mut self) {
            // The guard is a member of the group and dies with it. It is reaped only afterwards, so the
            // number is still that of the group.
            let _ = kill_process_group(Pid::from_child(&self.shell), Signal::KILL);
            wait(&mut self.shell, KILL_PATIENCE);
        }
    }
}
