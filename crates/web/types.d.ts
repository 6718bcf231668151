// The shapes of what the server sends and the page keeps, for the type checker alone.

import { Tree } from "./assets/tree.js";

export interface Man { square: string; side: number; kind: string }

export interface Move {
  move: string; label: string; squares: string[];
  line?: { ends: [string, string]; men: string[] };
}

/** A position, as /api/position answers. */
export interface State {
  game: string; title: string; position: string; key: string;
  style: "loa" | "men" | "chess" | "knights" | "dominoes" | "stones" | "marks";
  sides: [string, string]; light_first: boolean; record: "sgf" | "pgn" | "text";
  letters: { men: [string, string]; turn: [string, string] };
  width: number; height: number; men: Man[]; text?: string; to_move: number; played: Move[]; legal: Move[];
  outcome: { winner: number | null; how: string } | null;
  /** Chess: the king that is in check. */
  check?: string;
  connections?: { groups: [number, number]; links: [[string, string][], [string, string][]] };
}

export interface Candidate {
  move: string; visits: number; value: number; proven: "win" | "loss" | "draw" | null; plies: number | null; pv: string[];
}

/** What a search has found, for the side to move. */
export interface Analysis {
  best: string | null; value: number; proven: "win" | "loss" | "draw" | null; plies: number | null; pv: string[];
  candidates: Candidate[]; simulations: number; nodes: number; seconds: number; labels?: string[][]; depth?: number;
}

export interface Seat { player: string | null; options?: string; limit?: string; amount?: number; name?: string }

/** An opponent of some strength. */
export interface Level { name: string; rating: number | null }

/** A position in which one move wins (`spinney learn puzzles`). */
export interface Puzzle { index: number; position: string; plies: number; line: string[]; wins: string[][] }

export interface Ending { winner: number | null; how: string }

export interface About {
  name: string; event: string; date: string; players: [string, string]; notes: string; comment: string; ending: Ending | null;
}

/** The game that is shown. */
export interface Game {
  spec: string; start: string | null; about: About; tree: Tree; seats: Seat[];
  clock: { minutes: number; increment: number; left?: number[] } | null;
  /** How it ended on the board, once its end was shown. */
  outcome: Ending | null;
  /** The number under which it is kept; 0 for a lesson, which is not. */
  id: number;
}

export interface Player { name: string; summary: string; default: boolean; options: { key: string; default: string; help: string }[] }

export interface Arrow { squares: string[]; rank: number; share: number; label?: string; kind?: string }

export interface Page {
  game: Game | null;
  /** The position of the present node. */
  state: State | null;
  /** Whether the position is about to be replaced. */
  busy: boolean;
  /** Whether engines move by themselves: not while somebody leafs through the game. */
  live: boolean;
  thinking: AbortController | null;
  flipped: boolean;
  /** Whether every position that is shown is analysed. */
  analysing: boolean;
  analysis: Analysis | null;
  hint: Arrow[] | null;
  /** A position of a line that is looked at. */
  preview: State | null;
  /** The position in the editor. */
  editing: State | null;
  /** The review that runs, or its result. */
  review: { done: number; total: number; controller: AbortController } | null;
  /** The number of the lesson's step. */
  lesson: number | null;
  /** The puzzle that is shown: what was played so far, and what is said of it. */
  puzzle: { puzzle: Puzzle; verdict: "" | "right" | "wrong" | "solved"; text: string; helped: boolean } | null;
  /** Whether a newcomer is greeted. */
  welcome: boolean;
  /** Arrows of the present position drawn by hand. */
  drawn: Arrow[];
  /** What the other side would play if it were its turn. */
  threat: Arrow[] | null;
  /** Games of files that were loaded, for the explorer. */
  library: any[];
  status: string;
  /** Counts up while a clock runs. */
  ticks: number;
  /** Counts up when a node has another value. */
  values: number;
}
