//! One binary for every processor, and the fast instructions where they exist.
//!
//! The default build runs on any x86-64 and on ARM. Bit counting and bit scattering are several
//! times faster with instructions that x86-64 processors have had since 2013 (POPCNT, BMI1, BMI2),
//! and so are maxima (SSE4.1), but the compiler uses them only in functions it was told to compile for
//! such processors. [`run`] compiles a whole hot loop twice and chooses at run time.
//!
//! ```
//! use spinney_game::cpu::{self, Kernel};
//!
//! struct Count<'a>(&'a [u64]);
//!
//! impl Kernel for Count<'_> {
//!     type Output = u32;
//!
//!     #[inline(always)]
//!     fn run(self) -> u32 {
//!         self.0.iter().map(|set| set.count_ones()).sum()
//!     }
//! }
//!
//! assert_eq!(cpu::run(Count(&[1, 3, 7])), 6);
//! ```

#[cfg(target_arch = "x86_64")]
use std::sync::atomic::{AtomicU8, Ordering};

/// A hot loop that [`run`] compiles for the best instruction set.
///
/// Implementors mark `run` with `#[inline(always)]`, and what it calls with `#[inline]`: only what
/// is inlined is compiled twice. What counts bits also needs `#[inline(always)]`: when the compiler
/// decides what to inline, it still takes bit counting for long code.
pub trait Kernel {
    /// What the loop returns.
    type Output;

    /// The loop.
    fn run(self) -> Self::Output;
}

/// Runs the kernel with the best instructions this machine has. The result is the same on every
/// machine.
#[inline(always)]
pub fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if has_fast_bits() {
        // SAFETY: the processor has all the features the function is compiled for.
        return unsafe { run_with_fast_bits(kernel) };
    }
    run_anywhere(kernel)
}

/// Like [`run`], for arithmetic on arrays: with AVX2 where this machine has it.
#[inline(always)]
pub fn run_wide<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has all the features the function is compiled for.
        return unsafe { run_with_wide_vectors(kernel) };
    }
    kernel.run()
}

/// Not inlined, so that [`run`] is no more than a choice where it is.
#[inline(never)]
fn run_anywhere<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

/// Asks for a value that is needed soon, so that it is near when it is: unlike a load it keeps nobody
/// waiting.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint to the cache. It has no effect that the program can see, whatever the
        // address, and this one is that of a live reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Whether the processor has POPCNT, LZCNT, BMI1, BMI2 and SSE4.1. One load: it is asked in hot loops.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn has_fast_bits() -> bool {
    match FAST_BITS.load(Ordering::Relaxed) {
        UNKNOWN => detect_fast_bits(),
        answer => answer == YES,
    }
}

#[cfg(target_arch = "x86_64")]
static FAST_BITS: AtomicU8 = AtomicU8::new(UNKNOWN);
#[cfg(target_arch = "x86_64")]
const UNKNOWN: u8 = 0;
#[cfg(target_arch = "x86_64")]
const NO: u8 = 1;
#[cfg(target_arch = "x86_64")]
const YES: u8 = 2;

#[cfg(target_arch = "x86_64")]
#[cold]
fn detect_fast_bits() -> bool {
    let found = std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("lzcnt")
        && std::arch::is_x86_feature_detected!("popcnt")
        && std::arch::is_x86_feature_detected!("sse4.1");
    FAST_BITS.store(if found { YES } else { NO }, Ordering::Relaxed);
    found
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2,sse4.1")]
fn run_with_fast_bits<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_with_wide_vectors<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}
