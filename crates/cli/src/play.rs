//! `spinney play`: a game against a player, in the terminal.

use std::io::{self, BufRead, Write};

use anyhow::{Context, Result, bail};
use clap::Args;
use spinney_session::{
    LEVEL, LEVELS, Limits, Outcome, Player, PlayerSpec, Registry, Report, Session, Side,
};

use crate::analyze::or_default;
use crate::board::{self, side_name};
use crate::exit::Ending;
use crate::interrupt::Dialogue;
use crate::limit::{LimitArguments, whole};
use crate::player::PlayerArguments;
use crate::progress::spinner;
use crate::rules::Place;

/// What the help says after the options.
const NOTES: &str = "\
Type a move such as b1-d3 or e4, or one of: hint, undo, moves, board, resign, quit, help. The program \
thinks for one second without a limit. Ctrl-C makes it move at once; while you think, it ends the game.";

/// What `help` prints.
const HELP: &str = "\
a move    such as those that `moves` lists
hint      what the program would play
undo      take back your last move and the answer
moves     list the legal moves
board     show the board again
resign    give the game up
quit      leave";

#[derive(Args)]
#[command(after_help = NOTES)]
pub(crate) struct Play {
    #[command(flatten)]
    place: Place,
    /// Moves to play from the position first, separated by blanks.
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
    /// Your side: first, second, or its name in the game, such as white.
    #[arg(long, value_name = "SIDE", default_value = "first")]
    side: String,
    /// An opponent of some strength in place of a player: from 1, a first game, to 15, the strongest.
    #[arg(long, value_name = "N", conflicts_with = "player", value_parser = whole(1..=LEVELS.len()))]
    level: Option<usize>,
    #[command(flatten)]
    player: PlayerArguments,
    #[command(flatten)]
    limit: LimitArguments,
}

impl Play {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<Ending> {
        let mut session = self.place.session(registry)?;
        let human = self.human(&session)?;
        let spec = match self.level {
            Some(number) => PlayerSpec::plain(LEVEL).with("number", &number.to_string()),
            None => self.player.spec(session.game())?,
        };
        let player = session.game().player(&spec, self.player.seed)?;
        let limits = or_default(self.limit.limits());
        player.limit_kinds().check(&limits).with_context(|| spec.to_string())?;
        session.play_texts(self.moves.split_whitespace()).context("--moves")?;
        let interrupts = Dialogue::new()?;
        let mut game = Game { session, human, player, limits, interrupts };
        game.play(io::stdin().lock(), out)?;
        Ok(Ending::Complete)
    }

    fn human(&self, session: &Session) -> Result<Side> {
        let sides = session.game().info().sides;
        let is = |names: [&str; 2]| names.iter().any(|name| self.side.eq_ignore_ascii_case(name));
        match () {
            () if is(["first", sides[0]]) => Ok(Side::First),
            () if is(["second", sides[1]]) => Ok(Side::Second),
            () => bail!("--side {:?}: expected {} or {}", self.side, sides[0], sides[1]),
        }
    }
}

/// A game between a human and a player.
struct Game {
    session: Session,
    human: Side,
    player: Box<dyn Player>,
    limits: Limits,
    interrupts: Dialogue,
}

/// What follows an input.
enum Next {
    /// The game stands elsewhere: show it.
    Show,
    /// Ask again.
    Ask,
    /// The end.
    End,
}

impl Game {
    fn play(&mut self, mut input: impl BufRead, out: &mut impl Write) -> Result<()> {
        let mut next = Next::Show;
        loop {
            // 1. The board after a move, and the end of the game.
            if let Next::Show = next {
                writeln!(out, "\n{}", board::text(&self.session))?;
                if let Some(outcome) = self.session.outcome() {
                    return Ok(writeln!(out, "{}", self.end_text(outcome))?);
                }
            }
            // 2. The program.
            if self.session.to_move() != self.human {
                let report = self.think()?;
                let m = report.best.or_else(|| self.session.legal_moves().first().copied());
                let Some(m) = m else { bail!("the program has no move") };
                writeln!(out, "Spinney plays {}", self.session.move_label(m))?;
                self.session.play(m);
                next = Next::Show;
                continue;
            }
            // 3. The human. The end of the input is the end of the game.
            write!(out, "your move: ")?;
            out.flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                return Ok(writeln!(out)?);
            }
            next = self.obey(line.trim(), out)?;
            if let Next::End = next {
                return Ok(());
            }
        }
    }

    /// Follows an input of the human.
    fn obey(&mut self, input: &str, out: &mut impl Write) -> Result<Next> {
        match input.to_ascii_lowercase().as_str() {
            "" => {}
            "help" | "?" => writeln!(out, "{HELP}")?,
            "board" => return Ok(Next::Show),
            "moves" => {
                let labels = self.session.legal_moves().into_iter();
                let labels: Vec<String> = labels.map(|m| self.session.move_label(m)).collect();
                writeln!(out, "{}", labels.join(" "))?;
            }
            "hint" => {
                let report = self.think()?;
                let line = self.session.line_labels(&report.pv);
                writeln!(out, "hint: {} (value {:+.2})", line.join(" "), report.value)?;
            }
            "undo" | "back" | "takeback" => match self.before_last_move() {
                Some(session) => {
                    self.session = session;
                    return Ok(Next::Show);
                }
                None => writeln!(out, "you have not moved yet")?,
            },
            "resign" => {
                writeln!(out, "{}", self.end_text(Outcome::Win(!self.human)))?;
                return Ok(Next::End);
            }
            "quit" | "exit" => return Ok(Next::End),
            _ => match self.session.parse_move(input) {
                Ok(m) => {
                    self.session.play(m);
                    return Ok(Next::Show);
                }
                Err(error) => writeln!(out, "{error} (`moves` lists the moves, `help` the rest)")?,
            },
        }
        Ok(Next::Ask)
    }

    /// What the player thinks of the present position.
    fn think(&mut self) -> Result<Report> {
        let line = spinner();
        let Game { session, player, limits, .. } = self;
        let report =
            self.interrupts.search(|stop| player.analyse(session, limits, stop, &mut |_| ()));
        line.finish_and_clear();
        Ok(report?)
    }

    /// The game before the last move of the human; `None` if there is none.
    fn before_last_move(&self) -> Option<Session> {
        let movers = self.session.replay(|session, _| session.to_move());
        let last = movers.iter().rposition(|&side| side == self.human)?;
        let mut session = self.session.from_start();
        for m in self.session.moves().into_iter().take(last) {
            session.play(m);
        }
        Some(session)
    }

    fn end_text(&self, outcome: Outcome) -> String {
        let how = self.session.ending();
        let how = if how.is_empty() { String::new() } else { format!(" ({how})") };
        match outcome {
            Outcome::Draw => format!("a draw{how}"),
            Outcome::Win(side) => {
                let who = if side == self.human { "you win" } else { "Spinney wins" };
                format!("{}: {who}{how}", side_name(&self.session, side))
            }
        }
    }
}
