//! A simulation allocates nothing once buffers and the chunks of the tree are there.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use spinney_game::{History, Repetition};
use spinney_games::board::Size;
use spinney_games::breakthrough::Breakthrough;
use spinney_games::chess::Chess;
use spinney_games::loa::Loa;
use spinney_search::mcts::{Config, Mcts};
use spinney_search::policy::Random;
use spinney_search::{Limits, Stop};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call is passed on to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations<G: Repetition>(history: &History<G>, simulations: u64) -> u64 {
    // A tree of one chunk, so that growth is no part of the count.
    let config = Config { memory: 1, stop_early: false, look_ahead: true, ..Config::default() };
    let mut mcts = Mcts::new(config, Random { max_plies: 200 }, 1);
    let before = ALLOCATIONS.load(Relaxed);
    let limits = Limits::simulations(simulations);
    let report = mcts.search(history, &limits, &Stop::new(), &mut |_| ());
    assert_eq!(report.simulations, simulations);
    ALLOCATIONS.load(Relaxed) - before
}

fn check<G: Repetition>(start: G) {
    let history = History::new(start);
    let (few, many) = (allocations(&history, 500), allocations(&history, 5_000));
    // The lists of moves grow to the longest there is, the lines of the report get longer.
    assert!(many < few + 200, "{few} allocations for 500 simulations, {many} for 5,000");
}

#[test]
fn simulations_allocate_nothing() {
    check(Loa::<8>::default());
    check(Breakthrough::new(Size::EIGHT));
    check(Chess::start());
}
