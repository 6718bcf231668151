// Squares by name and by number, and what LOA shows on them.

/** [file, rank] from 0. */
export const place = (square) => [square.charCodeAt(0) - 97, Number(square.slice(1)) - 1];
export const name = (file, rank) => String.fromCharCode(97 + file) + (rank + 1);

/** Numbers the groups of one side's men: square to group, and the number of groups. */
export function groups(men) {
  const left = new Set(men);
  const of = new Map();
  let count = 0;
  while (left.size) {
    const stack = [left.values().next().value];
    left.delete(stack[0]);
    while (stack.length) {
      const square = stack.pop();
      of.set(square, count);
      for (const next of neighbours(square)) {
        if (left.delete(next)) stack.push(next);
      }
    }
    count += 1;
  }
  return { of, count };
}

export function neighbours(square) {
  const [file, rank] = place(square);
  const found = [];
  for (const df of [-1, 0, 1]) {
    for (const dr of [-1, 0, 1]) {
      if ((df || dr) && file + df >= 0 && rank + dr >= 0) found.push(name(file + df, rank + dr));
    }
  }
  return found;
}

/** LOA: the whole line of a move, and the men on it, who tell how far it goes. */
export function lineOfAction(from, to, { width, height, men }) {
  const [f, r] = place(from);
  const [tf, tr] = place(to);
  const [df, dr] = [Math.sign(tf - f), Math.sign(tr - r)];
  const inside = (file, rank) => file >= 0 && rank >= 0 && file < width && rank < height;
  let [file, rank] = [f, r];
  while (inside(file - df, rank - dr)) [file, rank] = [file - df, rank - dr];
  const squares = [];
  for (; inside(file, rank); file += df, rank += dr) squares.push(name(file, rank));
  const occupied = new Set(men.map((man) => man.square));
  return { squares, men: squares.filter((square) => occupied.has(square)) };
}
