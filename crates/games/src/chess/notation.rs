//! Chess as text: positions in FEN, moves in UCI and SAN.
//!
//! Written FEN names the en passant square only where such a capture is legal, so that one
//! position has one text; any FEN of standard chess is read, the two counters may be missing.
//! Moves are written in UCI. They are also read in SAN and long algebraic notation, with or
//! without signs of capture, check and judgement.

use cozy_chess::{
    Board, BoardBuilder, BoardBuilderError, CastleRights, Color, File, Piece, Rank, Square,
    get_king_moves, util,
};
use spinney_game::{Game, MoveError, Notation, Outcome, PositionError};

use super::{Chess, DRAWN_AT_HALFMOVES, Move};

impl Chess {
    /// A legal move in standard algebraic notation: `Nbd2`, `exd6`, `O-O`, `e8=Q#`.
    ///
    /// # Panics
    /// If the move is not legal here.
    pub fn san(&self, m: Move) -> String {
        util::display_san_move(&self.board, m.into()).to_string()
    }
}

impl Notation for Chess {
    fn parse_position(&self, text: &str) -> Result<Self, PositionError> {
        match board_from_fen(text) {
            Ok(board) => Ok(Chess { board }),
            Err(problem) => Err(PositionError::new(text, problem)),
        }
    }

    fn position_text(&self) -> String {
        let fen = self.board.to_string();
        if self.board.en_passant() == self.en_passant() {
            return fen;
        }
        let mut fields: Vec<&str> = fen.split(' ').collect();
        fields[3] = "-";
        fields.join(" ")
    }

    fn ending(&self) -> &'static str {
        match self.outcome() {
            None => "",
            Some(Outcome::Win(_)) => "checkmate",
            Some(Outcome::Draw) if !self.has_move() => "stalemate",
            Some(Outcome::Draw) if self.material_is_insufficient() => "too few men to mate",
            Some(Outcome::Draw) => "fifty moves without capture or pawn move",
        }
    }

    fn move_text(&self, m: Move) -> String {
        util::display_uci_move(&self.board, m.into()).to_string()
    }

    fn move_label(&self, m: Move) -> String {
        self.san(m)
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let error = |problem: String| MoveError::new(text, problem);
        if self.outcome().is_some() {
            return Err(error("the game is over".to_owned()));
        }
        // 1. UCI, with castling as a move of the king or as the king taking its rook. The parser stops
        //    after five characters, so the move is compared with the text.
        let trimmed = text.trim();
        if let Ok(m) = util::parse_uci_move(&self.board, trimmed)
            && (self.move_text(m.into()) == trimmed || m.to_string() == trimmed)
            && self.board.is_legal(m)
        {
            return Ok(m.into());
        }
        // 2. SAN: the legal moves that fit the description.
        let description = Description::parse(trimmed).ok_or_else(|| {
            error("not a move; expected UCI such as e2e4 or SAN such as Nf3".to_owned())
        })?;
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.retain(|&m| description.fits(&self.board, m));
        match moves[..] {
            [m] => Ok(m),
            [] => Err(error("not a legal move here".to_owned())),
            _ => {
                let choices: Vec<String> = moves.iter().map(|&m| self.san(m)).collect();
                Err(error(format!("ambiguous: {}", choices.join(" or "))))
            }
        }
    }
}

/// What a text in SAN says about a move; `None` is what it leaves open.
enum Description {
    /// Castling, short or long.
    Castling { short: bool },
    /// Any other move.
    Ordinary {
        piece: Piece,
        from_file: Option<File>,
        from_rank: Option<Rank>,
        to: Square,
        promotion: Option<Piece>,
    },
}

impl Description {
    fn parse(text: &str) -> Option<Self> {
        // 1. Signs at the end add nothing.
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        let text = text.strip_suffix("e.p.").unwrap_or(text).trim_end();

        // 2. Castling, with the letter or with zeros.
        match text {
            "O-O" | "0-0" => return Some(Description::Castling { short: true }),
            "O-O-O" | "0-0-0" => return Some(Description::Castling { short: false }),
            _ => {}
        }

        // 3. The piece in front, the promotion at the end.
        let mut characters: Vec<char> = text.chars().collect();
        let piece = characters.first().copied().and_then(piece_of_letter);
        if piece.is_some() {
            characters.remove(0);
        }
        let promotion = characters.last().copied().and_then(piece_of_letter);
        if promotion.is_some() {
            characters.pop();
            characters.pop_if(|sign| *sign == '=');
        }

        // 4. The target square, and before it what is known of the origin.
        let rank = characters.pop()?.try_into().ok()?;
        let file = characters.pop()?.try_into().ok()?;
        characters.pop_if(|sign| matches!(sign, 'x' | ':' | '-'));
        let from_rank = characters.last().and_then(|&digit| digit.try_into().ok());
        if from_rank.is_some() {
            characters.pop();
        }
        let from_file = characters.last().and_then(|&letter| letter.try_into().ok());
        if from_file.is_some() {
            characters.pop();
        }
        characters.is_empty().then_some(Description::Ordinary {
            piece: piece.unwrap_or(Piece::Pawn),
            from_file,
            from_rank,
            to: Square::new(file, rank),
            promotion,
        })
    }

    /// Whether the legal move `m` may be the one described. A missing promotion fits all of them,
    /// so that the caller can say what is missing.
    fn fits(&self, board: &Board, m: Move) -> bool {
        let castles = board.colors(board.side_to_move()).has(m.to);
        match *self {
            Description::Castling { short } => castles && short == (m.to.file() > m.from.file()),
            Description::Ordinary { piece, from_file, from_rank, to, promotion } => {
                !castles
                    && board.piece_on(m.from) == Some(piece)
                    && from_file.is_none_or(|file| file == m.from.file())
                    && from_rank.is_none_or(|rank| rank == m.from.rank())
                    && to == m.to
                    && (promotion.is_none() || promotion == m.promotion)
            }
        }
    }
}

/// The piece of a capital letter; small letters are files.
fn piece_of_letter(letter: char) -> Option<Piece> {
    Some(match letter {
        'N' => Piece::Knight,
        'B' => Piece::Bishop,
        'R' => Piece::Rook,
        'Q' => Piece::Queen,
        'K' => Piece::King,
        _ => return None,
    })
}

/// Reads FEN; the error says what is wrong with it.
fn board_from_fen(fen: &str) -> Result<Board, String> {
    // 1. Fields; the counters may be missing.
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let (&[placement, side, castling, en_passant], counters) = match fields.split_first_chunk() {
        Some((first, counters)) if counters.len() <= 2 => (first, counters),
        _ => return Err(format!("{} fields; FEN has six, or four at least", fields.len())),
    };

    let mut builder = BoardBuilder::empty();
    place_men(placement, &mut builder)?;
    builder.side_to_move = match side {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return Err(format!("side to move {side:?}; expected w or b")),
    };
    grant_castling(castling, &mut builder)?;
    if en_passant != "-" {
        let square = en_passant.parse().map_err(|_| {
            format!("en passant square {en_passant:?}; expected - or a square such as e3")
        })?;
        builder.en_passant = Some(square);
    }
    if let Some(clock) = counters.first() {
        builder.halfmove_clock =
            clock.parse().ok().filter(|&count| count <= DRAWN_AT_HALFMOVES).ok_or_else(|| {
                format!("half-move clock {clock:?}; expected a number from 0 to 100")
            })?;
    }
    if let Some(number) = counters.get(1) {
        // Some programs count moves from 0.
        builder.fullmove_number = number
            .parse::<u16>()
            .map_err(|_| format!("move number {number:?}; expected a number from 1 to 65535"))?
            .max(1);
    }

    // 2. The rules as a whole.
    let board = builder.build().map_err(|error| match error {
        // What else can be wrong with the men was found when they were placed.
        BoardBuilderError::InvalidBoard => "the side that has just moved is in check".to_owned(),
        BoardBuilderError::InvalidEnPassant => {
            format!("no pawn can have just passed the en passant square {en_passant}")
        }
        other => other.to_string(),
    })?;
    if get_king_moves(board.king(Color::White)).has(board.king(Color::Black)) {
        return Err("the kings stand side by side".to_owned());
    }
    if board.checkers().len() > 2 {
        return Err("more than two men give check".to_owned());
    }
    Ok(board)
}

/// Reads the men of FEN, ranks 8 to 1, and checks their numbers.
fn place_men(placement: &str, builder: &mut BoardBuilder) -> Result<(), String> {
    // 1. Squares.
    let ranks: Vec<&str> = placement.split('/').collect();
    if ranks.len() != Rank::NUM {
        return Err(format!("{} ranks instead of 8", ranks.len()));
    }
    for (text, &rank) in ranks.iter().rev().zip(&Rank::ALL) {
        let mut file = 0;
        for character in text.chars() {
            if let Some(empty @ 1..=8) = character.to_digit(10) {
                file += empty as usize;
                continue;
            }
            let piece = Piece::try_from(character.to_ascii_lowercase())
                .map_err(|_| format!("unknown man {character:?} on rank {rank}"))?;
            let color = if character.is_ascii_uppercase() { Color::White } else { Color::Black };
            if let Some(file) = File::try_index(file) {
                *builder.square_mut(Square::new(file, rank)) = Some((piece, color));
            }
            file += 1;
        }
        if file != File::NUM {
            return Err(format!("rank {rank} ({text}) has {file} squares instead of 8"));
        }
    }
    // 2. Numbers.
    for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
        let men = || builder.board.iter().flatten().filter(|man| man.1 == color);
        let count = |piece| men().filter(|man| man.0 == piece).count();
        match (count(Piece::King), count(Piece::Pawn), men().count()) {
            (1, 0..=8, 0..=16) => {}
            (1, 0..=8, men) => return Err(format!("{name} has {men} men")),
            (1, pawns, _) => return Err(format!("{name} has {pawns} pawns")),
            (kings, ..) => return Err(format!("{name} has {kings} kings")),
        }
    }
    let is_pawn = |file: &&File, rank| {
        matches!(builder.square(Square::new(**file, rank)), Some((Piece::Pawn, _)))
    };
    for rank in [Rank::First, Rank::Eighth] {
        if let Some(file) = File::ALL.iter().find(|file| is_pawn(file, rank)) {
            return Err(format!("a pawn on {file}{rank}"));
        }
    }
    Ok(())
}

/// Reads the castling rights of FEN. King and rook must be at home: without Chess960, a right
/// elsewhere has no meaning, and the UCI text of castling could be that of a step of the king.
fn grant_castling(castling: &str, builder: &mut BoardBuilder) -> Result<(), String> {
    let mut granted = [CastleRights::EMPTY; Color::NUM];
    for letter in castling.chars().filter(|_| castling != "-") {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rights = &mut granted[color as usize];
        let (right, rook_file) = match letter.to_ascii_lowercase() {
            'k' => (&mut rights.short, File::H),
            'q' => (&mut rights.long, File::A),
            _ => return Err(format!("castling rights {castling:?}; expected - or some of KQkq")),
        };
        if right.replace(rook_file).is_some() {
            return Err(format!("castling right {letter} twice"));
        }
        let at_home = |file, piece| {
            builder.square(Square::new(file, Rank::First.relative_to(color)))
                == Some((piece, color))
        };
        if !at_home(File::E, Piece::King) || !at_home(rook_file, Piece::Rook) {
            return Err(format!("castling right {letter} without king and rook at home"));
        }
    }
    builder.castle_rights = granted;
    Ok(())
}
