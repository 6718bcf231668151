// @ts-check
// A first lesson of Lines of Action: ten steps, each a position, a task and the moves that solve it.
// Whether a move wins is for the server to say.

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {string} text
 * @property {string} [start] a position; the usual start if missing
 * @property {string[]} [moves] those that solve it; any that wins if missing
 * @property {Record<string, string>} [wrong] what to say of certain other moves
 * @property {string} right
 */

/** @type {Step[]} */
export const STEPS = [
  {
    title: "How far a man moves",
    text: "A man moves in a straight line exactly as many squares as there are men on that line, of both colours. On the d-file stand two men, d1 and d8. Move d1 two squares up.",
    moves: ["d1-d3"],
    right: "Two men on the line, two squares. Pick up a man to see the number of each of its lines.",
  },
  {
    title: "Count both colours",
    text: "Three men stand on the fourth rank: two black ones and a white one. Move c4 three squares to the right.",
    start: "4x3/1o6/8/8/x1x4o/8/8/8 b",
    moves: ["c4-f4"],
    right: "The colour does not matter for the count.",
  },
  {
    title: "Every line has its own number",
    text: "On the d-file stand three men, but on other lines d4 is alone. Move d4 by one square.",
    start: "3x4/8/8/8/3x4/8/5o2/3x3o b",
    moves: ["d4-c4", "d4-e4", "d4-c3", "d4-e5"],
    right: "One man on the line, one square.",
  },
  {
    title: "Over your own men",
    text: "A man jumps over men of its own colour. Two men stand on the third rank: move b3 over c3.",
    start: "7x/8/o5o1/8/8/1xx5/8/8 b",
    moves: ["b3-d3"],
    right: "Own men are never in the way; but you cannot land on them.",
  },
  {
    title: "Not over the others",
    text: "b5 cannot move to the right: it would jump over a white man. Move it along its file, where two men stand.",
    start: "7x/8/8/1xo5/8/8/6o1/1x6 b",
    moves: ["b5-b7", "b5-b3"],
    right: "So men can block each other. That is how one defends.",
  },
  {
    title: "Taking",
    text: "Who lands on an enemy man takes it. Take the man on c4.",
    start: "7o/6x1/8/8/x1o5/8/8/5o2 b",
    moves: ["a4xc4"],
    right: "Taken. But mind: fewer men are easier to connect, so taking can help the other side.",
  },
  {
    title: "Connecting",
    text: "You win when all your men are connected, each touching another by a side or a corner. Bring f3 to the others.",
    start: "o7/8/7o/8/8/2x2x2/1x6/8 b",
    right: "All connected: you win.",
  },
  {
    title: "Find the winning move",
    text: "One black man is far away. Look at the numbers of its lines, and win in one move.",
    start: "8/1x6/8/4x3/3x1x2/8/6o1/1o6 b",
    right: "The diagonal held two men, and two squares were just enough.",
  },
  {
    title: "Stop the other side",
    text: "White threatens to win by d8-d6. Find a move after which White cannot connect at once.",
    start: "3o4/8/x4x2/2oo4/8/8/8/6x1 b",
    moves: ["f6-d6"],
    wrong: { f6xd8: "Now White's two men that are left are connected: White wins. Taking can lose the game." },
    right: "Your man changes the number of the file and stands in the way.",
  },
  {
    title: "Your first game",
    text: "Keep your men near the middle, keep them together, and wall White's men off. Ready for an easy opponent?",
    right: "",
  },
];
