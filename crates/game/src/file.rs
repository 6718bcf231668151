//! Writing files so that nothing half-written stays, whatever ends the program.
//!
//! [`replace`] writes a whole file under a temporary name and renames it. [`exit`] ends the program
//! between such writes, for handlers of Ctrl-C. A program that is killed (SIGKILL, power loss) can
//! leave the temporary file; the next [`replace`] of the same file overwrites and renames it.
//!
//! ```
//! use spinney_game::file;
//!
//! let path = std::env::temp_dir().join(format!("spinney-{}", std::process::id()));
//! file::replace(&path, b"all of this or nothing")?;
//! # assert_eq!(std::fs::read(&path)?, b"all of this or nothing");
//! # std::fs::remove_file(path)?;
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{PoisonError, RwLock};

/// Held shared by writers, and exclusively by [`exit`].
static WRITING: RwLock<()> = RwLock::new(());

/// Runs `write` to its end even if another thread calls [`exit`] meanwhile. Do not nest.
pub fn uninterrupted<T>(write: impl FnOnce() -> T) -> T {
    let _writing = WRITING.read().unwrap_or_else(PoisonError::into_inner);
    write()
}

/// Ends the program, after the writes that are under way. No other write begins.
pub fn exit(code: i32) -> ! {
    let _idle = WRITING.write().unwrap_or_else(PoisonError::into_inner);
    process::exit(code)
}

/// Writes a file: afterwards it has these bytes, or, after an error, what it had before. Whatever
/// else is at `path`, such as a pipe or `/dev/stdout`, is written to directly.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |out| out.write_all(bytes))
}

/// Like [`replace`], for a file that is written piece by piece.
pub fn replace_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let path = match fs::metadata(path) {
        Ok(existing) if !existing.is_file() => return write(&mut File::create(path)?),
        // The file behind a link is replaced, not the link.
        Ok(_) => path.canonicalize()?,
        Err(_) => path.to_owned(),
    };
    let temporary = temporary(&path);
    uninterrupted(|| {
        // Writers of one folder take turns, so that they can share the temporary name. Some systems
        // cannot lock a folder; there, two programs must not write the same file at once.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = File::open(folder.unwrap_or(Path::new("."))).ok();
        let _turn = folder.filter(|folder| folder.lock().is_ok());
        let written = || {
            let mut file = File::create(&temporary)?;
            write(&mut file)?;
            file.sync_all()?;
            fs::rename(&temporary, &path)
        };
        written().inspect_err(|_| {
            // The first error is the one to report.
            let _ = fs::remove_file(&temporary);
        })
    })
}

/// The hash of Fowler, Noll and Vo (FNV-1a, 64 bits): the same on every machine and in every version.
pub fn fnv_1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The name under which a file is written until it is complete.
fn temporary(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// An empty folder of one test.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("spinney-{name}-{}", process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn known_checksums() {
        // The test vectors of the authors of FNV.
        assert_eq!(fnv_1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv_1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv_1a(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn a_file_is_replaced_and_a_leftover_removed() {
        let folder = folder("replaced");
        let path = folder.join("file");
        fs::write(temporary(&path), "left by a program that was killed").unwrap();
        for text in ["one", "another"] {
            replace(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            assert_eq!(names(&folder), ["file"]);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn an_error_leaves_what_was_there() {
        let folder = folder("failed");
        assert!(replace(&folder, b"a folder is no file").is_err());
        assert!(replace(&folder.join("none").join("file"), b"no such folder").is_err());
        // The temporary name is taken by a folder, so that nothing can be written under it.
        let path = folder.join("file");
        fs::write(&path, "before").unwrap();
        fs::create_dir(temporary(&path)).unwrap();
        assert!(replace(&path, b"after").is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn writers_at_once_do_not_mix() {
        let folder = folder("mixed");
        let path = folder.join("file");
        thread::scope(|scope| {
            for letter in b'a'..b'e' {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..5 {
                        replace(path, &[letter; 100_000]).unwrap();
                    }
                });
            }
        });
        let bytes = fs::read(&path).unwrap();
        assert_eq!(bytes, [bytes[0]; 100_000]);
        assert_eq!(names(&folder), ["file"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay() {
        let folder = folder("links");
        let [file, link] = ["file", "link"].map(|name| folder.join(name));
        fs::write(&file, "before").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        replace(&link, b"after").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "after");
        replace(Path::new("/dev/null"), b"nothing").unwrap();
        fs::remove_dir_all(folder).unwrap();
    }
}
