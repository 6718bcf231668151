//! The board of LOA seen as lines: rays, and what the men on a line can do.
//!
//! A man moves as many squares as there are men on its line, so everything about the moves on a
//! line follows from the line alone. An empty square, an own man and an enemy man are the digits
//! 0, 1 and 2 of a number to the base three, and [`LINE_MOVES`] says for each such number which own
//! men can move up and down the line. All tables are made at compile time.

use crate::board::Square;

/// The longest line.
const LONGEST: usize = 8;

/// Steps from a square to the next on a line, upwards: a file further, and for the second diagonal
/// a rank down. Directions 0 to 3 go up the lines, directions 4 to 7 down them.
pub(super) const AXES: usize = 4;
const STEPS: [(i8, i8); 2 * AXES] =
    [(1, 0), (0, 1), (1, 1), (1, -1), (-1, 0), (0, -1), (-1, -1), (-1, 1)];

/// A square further in each direction, as a change of the square's number.
pub(super) const OFFSETS: [i32; 2 * AXES] = {
    let mut offsets = [0; 2 * AXES];
    let mut direction = 0;
    while direction < 2 * AXES {
        let (file, rank) = STEPS[direction];
        offsets[direction] = file as i32 + 8 * rank as i32;
        direction += 1;
    }
    offsets
};

/// The direction from each square to each other; `2 * AXES` if they are not on one line.
pub(super) static DIRECTIONS: [[u8; 64]; 64] = {
    let mut directions = [[2 * AXES as u8; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < 2 * AXES {
            let (files, ranks) = (STEPS[direction].0 as i32, STEPS[direction].1 as i32);
            let (mut file, mut rank) = (from % 8 + files, from / 8 + ranks);
            while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                directions[from as usize][(8 * rank + file) as usize] = direction as u8;
                (file, rank) = (file + files, rank + ranks);
            }
            direction += 1;
        }
        from += 1;
    }
    directions
};

/// What the own men on a line can do.
#[derive(Clone, Copy)]
pub(super) struct LineMoves {
    /// The number of moves.
    pub(super) count: u8,
    /// The number of men of both colours: the length of every move.
    pub(super) distance: u8,
    /// The positions of the men that can move up the line.
    pub(super) up: u8,
    /// The positions of the men that can move down the line.
    pub(super) down: u8,
}

/// The powers of three: the value of an own man at each position of a line.
pub(super) const POWERS: [u16; LONGEST + 1] = [1, 3, 9, 27, 81, 243, 729, 2187, 6561];

/// The value of a set of own men on a line; enemy men count twice.
pub(super) static TERNARY: [u16; 256] = {
    let mut values = [0; 256];
    let mut set = 0;
    while set < 256 {
        let mut position = 0;
        while position < LONGEST {
            if set & (1 << position) != 0 {
                values[set] += POWERS[position];
            }
            position += 1;
        }
        set += 1;
    }
    values
};

/// Where the lines of a length begin in [`LINE_MOVES`].
pub(super) const fn table_start(length: usize) -> u16 {
    // 3 + 9 + ... + 3^(length - 1)
    (POWERS[length] - 3) / 2
}

/// The number of arrangements of men on lines of all lengths.
pub(super) const TABLE_SIZE: usize = table_start(LONGEST) as usize + POWERS[LONGEST] as usize;

/// The moves on every line: of each length, for each arrangement of men.
pub(super) static LINE_MOVES: [LineMoves; TABLE_SIZE] = {
    let mut table = [LineMoves { count: 0, distance: 0, up: 0, down: 0 }; TABLE_SIZE];
    let mut length = 1;
    while length <= LONGEST {
        let mut value = 0;
        while value < POWERS[length] {
            table[(table_start(length) + value) as usize] = line_moves(value, length);
            value += 1;
        }
        length += 1;
    }
    table
};

const fn line_moves(value: u16, length: usize) -> LineMoves {
    const OWN: u16 = 1;
    const ENEMY: u16 = 2;
    // 1. The men.
    let mut men = [0; LONGEST];
    let mut distance = 0;
    let mut position = 0;
    while position < length {
        men[position] = value / POWERS[position] % 3;
        distance += (men[position] != 0) as usize;
        position += 1;
    }
    // 2. The moves: on the board, not onto an own man, not over an enemy man.
    let mut moves = LineMoves { count: 0, distance: distance as u8, up: 0, down: 0 };
    let mut from = 0;
    while from < length {
        if men[from] == OWN {
            let to = from + distance;
            if to < length && men[to] != OWN && !contains(&men, ENEMY, from + 1, to) {
                moves.up |= 1 << from;
                moves.count += 1;
            }
            if from >= distance {
                let to = from - distance;
                if men[to] != OWN && !contains(&men, ENEMY, to + 1, from) {
                    moves.down |= 1 << from;
                    moves.count += 1;
                }
            }
        }
        from += 1;
    }
    moves
}

const fn contains(men: &[u16; LONGEST], man: u16, start: usize, end: usize) -> bool {
    let mut position = start;
    while position < end {
        if men[position] == man {
            return true;
        }
        position += 1;
    }
    false
}

/// A line of a board.
#[derive(Clone, Copy)]
pub(super) struct Line {
    /// Its squares.
    pub(super) squares: u64,
    /// The number of its lowest square in its own order.
    pub(super) first: u8,
    /// Where lines of its length begin in [`LINE_MOVES`].
    pub(super) table_start: u16,
}

/// The most lines a board has: 8 ranks, 8 files, 15 and 15 diagonals.
pub(super) const MOST_LINES: usize = 46;

/// A direction seen from a square.
#[derive(Clone, Copy)]
pub(super) struct View {
    /// All squares of the line, the own square included.
    pub(super) line: u64,
    /// The squares ahead.
    pub(super) ray: u64,
}

/// The views and lines of a board with sides of length `N`.
pub(super) struct Geometry {
    /// What a man sees from each square in each direction.
    pub(super) views: [[View; 2 * AXES]; 64],
    /// The lines: ranks from the first, files from a, diagonals, second diagonals.
    pub(super) lines: [Line; MOST_LINES],
    /// The number of the line through a square.
    pub(super) line_of: [[u8; 64]; AXES],
    /// The value of an own man on a square in the number of its line.
    pub(super) weight: [[u16; 64]; AXES],
}

impl Geometry {
    /// The number of lines of a board, and where the lines of each axis begin.
    pub(super) const fn line_starts(length: usize) -> [usize; AXES + 1] {
        let diagonals = 2 * length - 1;
        [0, length, 2 * length, 2 * length + diagonals, 2 * length + 2 * diagonals]
    }

    pub(super) const fn new(length: usize) -> Geometry {
        let mut geometry = Geometry {
            views: [[View { line: 0, ray: 0 }; 2 * AXES]; 64],
            lines: [Line { squares: 0, first: 0, table_start: 0 }; MOST_LINES],
            line_of: [[0; 64]; AXES],
            weight: [[0; 64]; AXES],
        };
        let starts = Geometry::line_starts(length);
        let mut rank = 0;
        while rank < length {
            let mut file = 0;
            while file < length {
                let square = Square::at(file as u8, rank as u8);
                let index = square.index();
                let mut axis = 0;
                while axis < AXES {
                    // 1. Rays up and down the line, then the whole line.
                    let (up, _) = ray(square, axis, length);
                    let (down, before) = ray(square, axis + AXES, length);
                    let line = up | down | square.bit();
                    geometry.views[index][axis] = View { line, ray: up };
                    geometry.views[index][axis + AXES] = View { line, ray: down };
                    // 2. The line's number.
                    let number = starts[axis]
                        + match axis {
                            0 => rank,
                            1 => file,
                            2 => length - 1 + rank - file,
                            _ => rank + file,
                        };
                    geometry.line_of[axis][index] = number as u8;
                    geometry.weight[axis][index] = POWERS[before];
                    if before == 0 {
                        geometry.lines[number] = Line {
                            squares: line,
                            first: square.0,
                            table_start: table_start(line.count_ones() as usize),
                        };
                    }
                    axis += 1;
                }
                file += 1;
            }
            rank += 1;
        }
        geometry
    }
}

/// The squares seen from `square` in a direction, and their number.
const fn ray(square: Square, direction: usize, length: usize) -> (u64, usize) {
    let (file_step, rank_step) = STEPS[direction];
    let mut squares = 0;
    let mut count = 0;
    let mut file = square.file() as i8 + file_step;
    let mut rank = square.rank() as i8 + rank_step;
    while 0 <= file && file < length as i8 && 0 <= rank && rank < length as i8 {
        squares |= Square::at(file as u8, rank as u8).bit();
        count += 1;
        file += file_step;
        rank += rank_step;
    }
    (squares, count)
}
