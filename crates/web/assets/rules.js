// @ts-check
// The rules of the games, for people.

const LOA = [
  "A man moves in a straight line, along a rank, a file or a diagonal, exactly as many squares as there are men of both colours on that line.",
  "It may jump over men of its own colour, not over others. Landing on an enemy man takes it.",
  "Who connects all of his men wins: each must touch another by a side or a corner. A single man is connected.",
  "If a move connects both sides, the game is drawn; so is the third occurrence of a position. Who has no move passes.",
];
const RACE = "Who first brings a man to the last rank wins; so does who takes all men of the other side.";
const MISERE = "This is the reversed game: who would win loses.";
const BREAKTHROUGH = [
  "A man moves one square straight or diagonally forward, onto an empty square.",
  "Diagonally, not straight, it may also take a man of the other side. Nobody has to.",
  RACE,
];
const KNIGHTTHROUGH = [
  "All men are knights: two squares in one direction and one to the side. They only move forward, and take what they land on.",
  RACE,
];
const DOMINEERING = [
  "The first player lays dominoes upright, the second lays them flat, each on two empty squares.",
  "Who cannot lay one loses.",
];
const NOGO = [
  "A stone is put on an empty crossing and never moves. Stones of one colour that are next to each other along the lines form a group.",
  "Nothing may be taken: a move that leaves any group, own or other, without an empty neighbour is not allowed.",
  "Who has no move loses.",
];
const ATARIGO = [
  "A stone is put on an empty crossing and never moves. Stones of one colour that are next to each other along the lines form a group.",
  "A group with no empty neighbour is taken. Who first takes anything wins. A move that leaves the own group without an empty neighbour is not allowed, unless it takes. Who has no move loses.",
];

/** Paragraphs by the name of the game. @type {Record<string, string[]>} */
const RULES = {
  loa: LOA,
  loa6: LOA,
  breakthrough: BREAKTHROUGH,
  "breakthrough-misere": [...BREAKTHROUGH, MISERE],
  knightthrough: KNIGHTTHROUGH,
  "knightthrough-misere": [...KNIGHTTHROUGH, MISERE],
  domineering: DOMINEERING,
  "domineering-misere": [...DOMINEERING, MISERE],
  nogo: NOGO,
  "nogo-misere": [...NOGO, MISERE],
  atarigo: ATARIGO,
  "atarigo-misere": [...ATARIGO, MISERE],
  tictactoe: ["Players put their mark on an empty square in turn. Three in a row, upright, flat or diagonal, win; a full board without is a draw."],
  chess: [
    "The usual rules of chess: castling, taking en passant, promotion.",
    "Drawn by stalemate, the third occurrence of a position, fifty moves without a capture or a pawn's move, and too few men to mate.",
  ],
};

/** The rules of a game, such as `nogo:7x7`; its summary if the page has none. */
export const rulesOf = (/** @type {string} */ spec, /** @type {string} */ summary) => RULES[spec.split(":")[0]] ?? [summary];
