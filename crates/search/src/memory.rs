//! Memory for tables that are read at random.

use std::collections::TryReserveError;
use std::sync::atomic::AtomicU64;

/// Zeroed words, which take memory only where they are used; an error if they cannot be had.
pub(crate) fn zeroed_words(length: usize) -> Result<Vec<AtomicU64>, TryReserveError> {
    // Asking first turns a lack of memory into an error.
    Vec::<u64>::new().try_reserve_exact(length)?;
    let words: Vec<u64> = vec![0; length];
    ask_for_huge_pages(&words);
    // Collected in place: nothing is touched.
    Ok(words.into_iter().map(AtomicU64::new).collect())
}

/// Pages of 2 MiB where the system has them. With pages of 4 KiB almost every access to a large table
/// misses the cache of addresses, and a search that fills a table waits for pages most of its time.
#[cfg(target_os = "linux")]
fn ask_for_huge_pages(words: &[u64]) {
    const PAGE: usize = 4096;
    let skip = words.as_ptr().align_offset(PAGE);
    let Some(words) = words.get(skip..) else { return };
    let (start, length) = (words.as_ptr().cast_mut().cast(), size_of_val(words) / PAGE * PAGE);
    // SAFETY: advice about memory that is ours, from a page border on; it changes no contents. A system
    // without such pages refuses it, which is no harm.
    let _ = unsafe { rustix::mm::madvise(start, length, rustix::mm::Advice::LinuxHugepage) };
}

#[cfg(not(target_os = "linux"))]
fn ask_for_huge_pages(_: &[u64]) {}
