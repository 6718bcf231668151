//! Formats that other programs read and write.
//!
//! - [`sgf`]: the Smart Game Format, as a tree of nodes with properties.
//! - [`loa_record`]: games of Lines of Action in SGF, as the archives have them; [`loa_archive`]: a
//!   folder of them.

pub mod loa_archive;
pub mod loa_record;
pub mod sgf;
