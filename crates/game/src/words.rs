//! Words that users type.

/// The candidate most like a misspelt word, if any is like it.
pub fn closest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    /// Longer words are nobody's typing error.
    const LONGEST: usize = 64;
    let word: String = word.chars().take(LONGEST).collect();
    candidates
        .map(|candidate| (strsim::osa_distance(&word, candidate), candidate))
        .min()
        .filter(|&(edits, candidate)| edits <= 1 + candidate.len() / 4)
        .map(|(_, candidate)| candidate)
}
