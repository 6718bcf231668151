//! Certificates in files: the value of a position, with a proof that [`check`] accepts.
//!
//! A file is the line `spinney-certificate 1`, then lines `game: G`, `position: P`, `value: V` (win, draw or
//! loss, as the side to move sees it) and `moves: BYTES`, an empty line, the moves, and a checksum. Whoever
//! wins has a strategy; for a draw both sides have one that holds, that of the side to move first. A move is
//! its place in the list of legal moves, in the order in which [`check`] asks for them; seven bits a byte, the
//! lowest first, the eighth bit says that more follow; then DEFLATE. The checksum is FNV-1a (64
//! bits, little-endian) of all before it.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use spinney_game::certificate::{Aim, Flaw, Problem, Walk, check};
use spinney_game::{Game, Move, Notation, Playable, Side, file};
use spinney_players::Prover;
use spinney_search::{GameValue, Limits, Report, Stop};

use crate::{Registry, Session};

const MAGIC: &str = "spinney-certificate 1";
/// The message on a file that is something else.
const OTHER: &str = "not a certificate of this version";
/// Of 1 to 10: beyond this the files hardly shrink.
const COMPRESSION: u8 = 6;
/// Positions between two reports of progress.
const REPORT_EVERY: usize = 1 << 14;

/// A certificate that was checked or written.
#[derive(Clone, Debug)]
pub struct Certified {
    /// The game that starts at the position.
    pub session: Session,
    /// Its value, as the side to move sees it.
    pub value: GameValue,
    /// Positions in which the strategies were asked for a move.
    pub positions: usize,
}

/// Who must reach what to prove a value.
fn claims(value: GameValue, to_move: Side) -> Vec<(Side, Aim)> {
    match value {
        GameValue::Win => vec![(to_move, Aim::Win)],
        GameValue::Loss => vec![(!to_move, Aim::Win)],
        GameValue::Draw => vec![(to_move, Aim::Hold), (!to_move, Aim::Hold)],
    }
}

/// Reads a certificate and checks it with the rules of its game alone. `progress` gets the number of positions
/// checked so far. An error says why the certificate is refused.
pub fn verify(
    registry: &Registry,
    path: &Path,
    stop: &Stop,
    progress: &mut dyn FnMut(usize),
) -> Result<Certified, String> {
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    // 1. The claim.
    let (bytes, sum) = bytes.split_last_chunk().ok_or(OTHER)?;
    let (head, payload) = split(bytes).ok_or(OTHER)?;
    if file::fnv_1a(bytes) != u64::from_le_bytes(*sum) {
        return Err("damaged: the checksum does not match".to_owned());
    }
    let field = |key: &str| {
        let mut lines = head.lines();
        let line = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
        line.ok_or_else(|| format!("the line {key:?} is missing"))
    };
    let game = registry.game(field("game")?).map_err(|error| error.to_string())?;
    let session = game.at(Some(field("position")?)).map_err(|error| error.to_string())?;
    let value = GameValue::named(field("value")?).ok_or("the value is unknown")?;
    let length = field("moves")?.parse().map_err(|_| "the length of the moves is no number")?;
    // 2. The strategies.
    let moves = decompress_to_vec_with_limit(payload, length);
    let moves = moves.map_err(|_| "damaged: the moves cannot be unpacked")?;
    let positions = game.kind().verify(&session, value, &moves, stop, progress)?;
    Ok(Certified { session, value, positions })
}

/// The lines of a file, and its packed moves; `bytes` are without the checksum.
fn split(bytes: &[u8]) -> Option<(&str, &[u8])> {
    const END: &[u8] = b"\n\n";
    let end = bytes.windows(END.len()).position(|window| window == END)?;
    let (head, payload) = (&bytes[..end], &bytes[end + END.len()..]);
    let head = std::str::from_utf8(head).ok()?;
    Some((head.strip_prefix(MAGIC)?.strip_prefix('\n')?, payload))
}

/// Writes the certificate of a value that a search has found.
pub(crate) fn write(
    path: &Path,
    session: &Session,
    value: GameValue,
    moves: &[u8],
) -> Result<(), String> {
    let (game, position, value) = (session.game(), session.position_text(), value.name());
    let length = moves.len();
    let head =
        format!("{MAGIC}\ngame: {game}\nposition: {position}\nvalue: {value}\nmoves: {length}\n\n");
    let mut bytes = head.into_bytes();
    bytes.extend(compress_to_vec(moves, COMPRESSION));
    bytes.extend(file::fnv_1a(&bytes).to_le_bytes());
    file::replace(path, &bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// Checks the strategies of a certificate; the number of positions.
pub(crate) fn check_moves<G: Notation>(
    position: &G,
    value: GameValue,
    moves: &[u8],
    stop: &Stop,
    progress: &mut dyn FnMut(usize),
) -> Result<usize, String> {
    let mut rest = moves.iter();
    let mut asked = 0_usize;
    for (side, aim) in claims(value, position.to_move()) {
        let mut choose = |_: &G, _: &[G::Move]| {
            asked += 1;
            if asked.is_multiple_of(REPORT_EVERY) {
                progress(asked);
            }
            if stop.is_set() { None } else { read_number(&mut rest) }
        };
        check(position, side, aim, &mut choose).map_err(|flaw| match stop.is_set() {
            true => "interrupted".to_owned(),
            false => describe(position, &flaw),
        })?;
    }
    if rest.next().is_some() {
        return Err("there are moves that no position asks for".to_owned());
    }
    Ok(asked)
}

fn describe<G: Notation>(start: &G, flaw: &Flaw<G::Move>) -> String {
    let mut position = start.clone();
    let text = |&m: &G::Move| {
        let text = position.move_text(m);
        position.play(m);
        text
    };
    let line: Vec<String> = flaw.line.iter().map(text).collect();
    if line.is_empty() {
        return flaw.problem.to_string();
    }
    format!("after {}: {}", line.join(" "), flaw.problem)
}

fn read_number(bytes: &mut std::slice::Iter<'_, u8>) -> Option<usize> {
    let mut number = 0;
    for shift in (0..32).step_by(7) {
        let byte = *bytes.next()?;
        number |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

fn write_number(mut number: usize, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Finds the strategies that prove the value of a position, and returns their moves as a certificate has them.
/// The solver is asked in every position that comes up; what it remembers makes that quick.
pub(crate) fn certify<G: Playable>(
    position: &G,
    value: GameValue,
    prover: &mut dyn Prover<G>,
    stop: &Stop,
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<u8>, String> {
    let stop = &stop.alone();
    let mut moves = Vec::new();
    let mut positions = 0;
    for (side, aim) in claims(value, position.to_move()) {
        // 1. The strategy.
        let avoided = HashSet::new();
        let mut strategist = Strategist { aim, prover, stop, chosen: HashMap::new(), avoided };
        let mut walk = Walk::new(side, aim);
        loop {
            let walked = walk.run(position, &mut |position: &G, legal: &[G::Move]| {
                let asked = positions + strategist.chosen.len();
                if asked.is_multiple_of(REPORT_EVERY) {
                    progress(asked);
                }
                strategist.choose(position, legal)
            });
            match walked {
                Ok(_) => break,
                Err(_) if stop.is_set() => return Err("interrupted".to_owned()),
                Err(flaw) => strategist.avoid(position, &flaw)?,
            }
        }
        // 2. Its moves, in the order in which they are asked for.
        drop(walk);
        let chosen = strategist.chosen;
        let checked = check(position, side, aim, &mut |position: &G, _: &[G::Move]| {
            let &place = chosen.get(position)?;
            write_number(place, &mut moves);
            Some(place)
        });
        positions += checked.map_err(|flaw| describe(position, &flaw))?;
    }
    Ok(moves)
}

/// Asks a solver for the moves of one side.
struct Strategist<'a, G: Game> {
    aim: Aim,
    prover: &'a mut dyn Prover<G>,
    stop: &'a Stop,
    /// The place of the move in each position.
    chosen: HashMap<G, usize>,
    /// Moves that led back to an earlier position.
    avoided: HashSet<(G, G::Move)>,
}

impl<G: Playable> Strategist<'_, G> {
    /// The place of a move that reaches the aim.
    fn choose(&mut self, position: &G, legal: &[G::Move]) -> Option<usize> {
        let place = self.find(position, legal)?;
        self.chosen.insert(position.clone(), place);
        Some(place)
    }

    fn find(&mut self, position: &G, legal: &[G::Move]) -> Option<usize> {
        let is_avoided = |m| self.avoided.contains(&(position.clone(), m));
        let moves: Vec<(usize, G)> = (0..)
            .zip(legal)
            .filter(|&(_, &m)| self.avoided.is_empty() || !is_avoided(m))
            .map(|(place, &m)| (place, after(position, m)))
            .collect();
        // 1. The quickest win that is remembered.
        let quickest = |(place, next): &(usize, G)| Some((self.prover.lost_in(next)?, *place));
        if self.aim == Aim::Win
            && let Some((_, place)) = moves.iter().filter_map(quickest).min()
        {
            return Some(place);
        }
        // 2. What a search finds.
        let report = self.solve(position, Limits::default());
        let best = G::Move::unpack(report.best.filter(|_| self.reaches(report.proven))?);
        let best = moves.iter().find(|(place, _)| legal[*place] == best);
        if let Some(&(place, _)) = best {
            return Some(place);
        }
        // 3. If that must be avoided, another move, soon found.
        for nodes in (3..12).map(|digits| 10_u64.pow(digits)) {
            for (place, next) in &moves {
                let for_opponent = self.solve(next, Limits::nodes(nodes)).proven;
                if self.reaches(for_opponent.map(GameValue::for_opponent)) {
                    return Some(*place);
                }
            }
        }
        None
    }

    fn reaches(&self, value: Option<GameValue>) -> bool {
        match self.aim {
            Aim::Win => value == Some(GameValue::Win),
            Aim::Hold => matches!(value, Some(GameValue::Win | GameValue::Draw)),
        }
    }

    fn solve(&mut self, position: &G, limits: Limits) -> Report {
        self.prover.solve(position, &limits, self.stop, None)
    }

    /// Remembers not to play the last move of the side that led to a flaw; an error if that cannot help.
    fn avoid(&mut self, start: &G, flaw: &Flaw<G::Move>) -> Result<(), String> {
        let helps = matches!(flaw.problem, Problem::Circle | Problem::NoMove);
        // The line ends in a reply of the opponent.
        let Some(last) = flaw.line.len().checked_sub(2).filter(|_| helps) else {
            return Err(describe(start, flaw));
        };
        let position =
            flaw.line[..last].iter().fold(start.clone(), |position, &m| after(&position, m));
        match self.avoided.insert((position, flaw.line[last])) {
            true => Ok(()),
            false => Err(describe(start, flaw)),
        }
    }
}

fn after<G: Game>(position: &G, m: G::Move) -> G {
    let mut after = position.clone();
    after.play(m);
    after
}
