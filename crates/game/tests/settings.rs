//! The options of a game as users type them.

use spinney_game::{
    BoardInfo, BoardStyle, GameInfo, GameOption, GameOptionKind, GameSettings, Protocol,
    RecordFormat, SIZES,
};

const RULES: &[GameOption] = &[
    GameOption { key: "start", kind: GameOptionKind::Choice(&["usual", "random"]) },
    GameOption { key: "size", kind: GameOptionKind::Size { default: [8, 6], range: [4, 19] } },
    GameOption { key: "ends", kind: GameOptionKind::Choice(&["third", "second", "none"]) },
];

const PLAIN: GameInfo = GameInfo::new("plain", "Plain", "a game without options");
const SIZED: GameInfo =
    GameInfo { options: SIZES, ..GameInfo::new("sized", "Sized", "a game on many boards") };
const RULED: GameInfo =
    GameInfo { options: RULES, ..GameInfo::new("ruled", "Ruled", "a game with many rules") };

#[test]
fn texts_are_read_and_written() {
    for (info, text) in [
        (&SIZED, "8x8"),
        (&SIZED, "3x8"),
        (&RULED, "19x4"),
        (&RULED, "start=random"),
        (&RULED, "ends=none"),
        (&RULED, "start=random,10x8,ends=second"),
    ] {
        let settings = GameSettings::parse(info, text).unwrap();
        assert_eq!(settings.to_string(), text);
        assert_eq!(GameSettings::parse(info, &settings.to_string()), Ok(settings));
    }
}

/// Every combination is written and read back, and no two are written alike.
#[test]
fn every_combination_survives() {
    let mut texts = Vec::new();
    for start in ["usual", "random"] {
        for ends in ["third", "second", "none"] {
            for size in ["8x6", "6x8", "4x4"] {
                let text = format!("{size},ends={ends},start={start}");
                let settings = GameSettings::parse(&RULED, &text).unwrap();
                assert_eq!((settings.choice("start"), settings.choice("ends")), (start, ends));
                let [files, ranks] = settings.size().unwrap();
                assert_eq!(format!("{files}x{ranks}"), size);
                let written = settings.to_string();
                if !written.is_empty() {
                    assert_eq!(GameSettings::parse(&RULED, &written).unwrap(), settings, "{text}");
                }
                texts.push(written);
            }
        }
    }
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 18);
}

#[test]
fn defaults_are_not_written() {
    for info in [PLAIN, SIZED, RULED] {
        assert_eq!(GameSettings::new(&info).to_string(), "");
    }
    let usual = GameSettings::new(&RULED);
    assert_eq!(GameSettings::parse(&RULED, "ends=third,8x6,start=usual"), Ok(usual.clone()));
    assert_eq!((usual.choice("start"), usual.choice("ends")), ("usual", "third"));
    assert_eq!(usual.size(), Some([8, 6]));
    assert_eq!(GameSettings::new(&SIZED).size(), Some([5, 5]));
    let plain = GameSettings::new(&PLAIN);
    assert_eq!((plain.size(), plain.choice("start")), (None, ""));
    assert_eq!(usual.choice("size"), "", "a size is no choice");
}

#[test]
fn mistakes_are_explained() {
    let message = |info: &GameInfo, text: &str| GameSettings::parse(info, text).unwrap_err();
    for text in ["", "8x8", "size=8x8", "a=b"] {
        assert!(message(&PLAIN, text).contains("plain has no options"), "{text}");
    }
    for text in ["size=8x8", "ends=none"] {
        assert!(message(&SIZED, text).contains("a size such as 5x5"), "{text}");
    }
    for text in ["2x5", "9x5", "5x9", "05x5", "+5x5", "5", "5x5x5", "", "x", "256x5", "-5x5"] {
        assert!(message(&SIZED, text).contains("each from 3 to 8"), "{text}");
    }
    assert!(message(&RULED, "20x4").contains("each from 4 to 19"));
    assert!(message(&RULED, "ends=never").contains("third, second, none"));
    assert!(message(&RULED, "ends=").contains("third, second, none"));
    assert!(message(&RULED, "komi=3").contains("no option \"komi\""));
    assert!(message(&RULED, "ends=none,ends=none").contains("ends is given twice"));
    assert!(message(&RULED, "5x5,ends=none,6x6").contains("size is given twice"));
    assert!(message(&RULED, "5x5,").contains("each from 4 to 19"));
}

#[test]
fn infos_are_made_from_each_other() {
    assert_eq!((SIZED.record, SIZED.protocol), (RecordFormat::Text, Protocol::Ugi));
    let misere = SIZED.misere("sized-misere", "Sized misère", "who wins loses");
    assert_eq!((misere.name, misere.title), ("sized-misere", "Sized misère"));
    assert_eq!((misere.options, misere.board), (SIZED.options, SIZED.board));
    let [dark, light] = [BoardInfo::new, BoardInfo::light_first].map(|new| new(BoardStyle::Men));
    assert_eq!(dark.men, ['x', 'o']);
    assert_eq!((light.men, light.turn), (['o', 'x'], ['w', 'b']));
    assert!(light.light_first && !dark.light_first);
}
