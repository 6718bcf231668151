//! PGN: files as people write them, and round trips.

use spinney_game::{Game, Notation, Rng};
use spinney_games::chess::Chess;
use spinney_protocol::pgn::{Line, PgnGame, PgnMove, PgnResult, parse, tag_line};

const FILE: &str = r#"% made by hand
[Event "Casual \"blitz\" game"]
[Site "?"]
[Date "2024.01.05"]
[Round "1"]
[White "Miller, A."]
[Black "O'Brien"]
[Result "0-1"]
[WhiteElo "1500"]

{A short one.} 1.f3 $6 e5 ; the book move
2. g4?? (2. e4 {is normal} Nf6 (2... d6) 3. d3) 2...
Qh4# {[%clk 0:00:05] Mate
over two lines} 0-1

[Event "A study"]
[SetUp "1"]
[FEN "8/6p1/k1P2p1p/7K/8/8/8/8 w - - 0 1"]
[Result "1/2-1/2"]

1. Kg6! Kb6 2. Kxg7 h5 3. Kxf6 h4 4. Ke5!? h3 (4... Kxc6 5. Kf4) 5. Kd6 h2 6. c7 Kb7 7. Kd7 h1=Q 8. c8=Q+ 1/2-1/2

[Event "Without a result"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. 0-0
[Event "Black begins"]
[FEN "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 1 7"]

7... Nf6 8. Nf3 *
"#;

fn moves(game: &PgnGame) -> String {
    let mut position = game.start.clone();
    let mut words = Vec::new();
    for m in game.moves() {
        words.push(position.move_text(m));
        position.play(m);
    }
    words.join(" ")
}

#[test]
fn files_as_people_write_them_are_read() {
    let games = parse(FILE).unwrap();
    assert_eq!(games.len(), 4);
    let first = &games[0];
    assert_eq!(first.tag("Event"), Some("Casual \"blitz\" game"));
    assert_eq!((first.tag("WhiteElo"), first.tag("Annotator")), (Some("1500"), None));
    assert_eq!(moves(first), "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(first.result, PgnResult::Black);
    assert_eq!(first.line.comment, "A short one.");
    assert_eq!(first.line.moves[0].nags, [6]);
    assert_eq!(first.line.moves[1].comment, "the book move");
    let blunder = &first.line.moves[2];
    assert_eq!(blunder.nags, [4]);
    assert_eq!(blunder.variations.len(), 1);
    let variation = &blunder.variations[0].moves;
    assert_eq!(variation.len(), 3);
    assert_eq!(variation[0].comment, "is normal");
    assert_eq!(variation[1].variations[0].moves.len(), 1);
    assert_eq!(first.line.moves[3].comment, "[%clk 0:00:05] Mate over two lines");
    assert_eq!(games[1].result, PgnResult::Draw);
    assert!(moves(&games[1]).starts_with("h5g6 a6b6 g6g7"));
    assert!(moves(&games[1]).ends_with("h2h1q c7c8q"));
    assert_eq!(games[1].line.moves[0].nags, [1]);
    assert!(moves(&games[2]).ends_with("a7a6 e1g1"));
    assert_eq!(games[2].result, PgnResult::Unknown);
    assert_eq!(moves(&games[3]), "g8f6 g1f3");
}

#[test]
fn games_are_written_in_the_export_format() {
    let games = parse(FILE).unwrap();
    let text = games[0].to_string();
    assert_eq!(
        text,
        r#"[Event "Casual \"blitz\" game"]
[Site "?"]
[Date "2024.01.05"]
[Round "1"]
[White "Miller, A."]
[Black "O'Brien"]
[Result "0-1"]
[WhiteElo "1500"]

{A short one.} 1. f3 $6 e5 {the book move} 2. g4 $4 (2. e4 {is normal} 2... Nf6
(2... d6) 3. d3) 2... Qh4# {[%clk 0:00:05] Mate over two lines} 0-1
"#
    );
    assert!(games[3].to_string().ends_with("\n7... Nf6 8. Nf3 *\n"));
}

/// A random line, with everything that can be said of moves.
fn random_line(position: &Chess, length: usize, depth: u32, rng: &mut Rng) -> Line {
    let chance = |rng: &mut Rng, one_in: u64| rng.next_u64().is_multiple_of(one_in);
    let mut line = Line::default();
    if chance(rng, 4) {
        line.comment = "before ; (it) [begins]".to_owned();
    }
    let mut position = position.clone();
    while line.moves.len() < length && position.outcome().is_none() {
        let mut played = PgnMove::from(position.random_move(rng));
        if chance(rng, 8) {
            played.nags.push((rng.next_u64() % 140) as u8);
        }
        if chance(rng, 8) {
            played.comment = "a long comment, \"quoted\" and $5 1. e4 ending in 1-0".to_owned();
        }
        while depth > 0 && chance(rng, 10) {
            let length = 1 + (rng.next_u64() % 6) as usize;
            played.variations.push(random_line(&position, length, depth - 1, rng));
        }
        position.play(played.m);
        line.moves.push(played);
    }
    line
}

#[test]
fn what_is_written_is_read_back() {
    let mut rng = Rng::new(5);
    let mut file = String::new();
    let mut games = Vec::new();
    for number in 0..60 {
        let mut start = Chess::start();
        if number % 3 == 0 {
            for _ in 0..=number {
                start.play(start.random_move(&mut rng));
                if start.outcome().is_some() {
                    start = Chess::start();
                }
            }
        }
        let mut game = PgnGame::new(start.clone());
        game.line = random_line(&start, number, 3, &mut rng);
        let results = [PgnResult::White, PgnResult::Black, PgnResult::Draw, PgnResult::Unknown];
        game.result = results[number % 4];
        game.tags.push(("Annotator".to_owned(), r#"back\slash and "quote""#.to_owned()));
        let text = game.to_string();
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        let again = parse(&text).unwrap();
        assert_eq!(again.len(), 1);
        assert_eq!((&again[0].line, again[0].result), (&game.line, game.result), "{text}");
        assert_eq!(again[0].start, game.start);
        assert_eq!(again[0].tag("Annotator"), game.tag("Annotator"));
        assert_eq!(again[0].to_string(), text);
        file.push_str(&text);
        file.push('\n');
        games.push(again[0].clone());
    }
    assert_eq!(parse(&file).unwrap(), games);
}

#[test]
fn the_value_of_a_tag_is_one_line() {
    assert_eq!(tag_line("Event", "two\nlines"), "[Event \"two lines\"]\n");
}

#[test]
fn mistakes_have_a_line() {
    let message = |text: &str| parse(text).unwrap_err().to_string();
    assert!(
        message("[Event \"x\"]\n\n1. e4 e5\n2. Ke3 *").starts_with("PGN, line 4: move \"Ke3\"")
    );
    assert!(message("1. e4 {never ends").contains("'}' is missing"));
    assert!(message("1. e4 (1. d4").contains("')' is missing"));
    assert!(message("1. e4 ) *").contains("')' without '('"));
    assert!(message("(1. d4) 1. e4").contains("without a move"));
    assert!(message("$1 1. e4").contains("without a move"));
    assert!(message("1. e4 $999 *").contains("no judgement"));
    assert!(message("[Event x]").contains("[Name \"value\"]"));
    assert!(message("[Event \"x\n\"]").contains("no end"));
    assert!(message("[Event \"x\\\n\"]").contains("no end"));
    assert!(message("[FEN \"8/8 w\"]\n*").contains("position"));
    assert!(message("1. -- *").contains("move \"--\""));
    assert!(message("}").contains("does not belong"));
    let nested = format!("1. e4 {}", "(1. e4 ".repeat(5000));
    assert!(message(&nested).contains("too many variations"));
    assert_eq!(parse("").unwrap(), []);
}

/// No text makes the reader panic.
#[test]
fn noise_is_refused_or_read() {
    let mut rng = Rng::new(9);
    let alphabet: Vec<char> = "[]\"(){};$!?.%1-0/2*e4NfQx+#=O \n\\é\u{feff}".chars().collect();
    for _ in 0..20_000 {
        let length = rng.next_u64() % 40;
        let text: String = (0..length)
            .map(|_| alphabet[(rng.next_u64() % alphabet.len() as u64) as usize])
            .collect();
        let _ = parse(&text);
    }
}
