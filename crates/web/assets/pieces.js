// @ts-check
// Men as SVG, drawn in a square of 100 by 100.

import { svg } from "./dom.js";

const SHAPES = {
  p: ["M50 20a13 13 0 0 1 8 23c7 2 9 9 4 14 8 5 11 13 11 21h2v8H25v-8h2c0-8 3-16 11-21-5-5-3-12 4-14a13 13 0 0 1 8-23Z"],
  r: ["M26 86v-9l8-6V46l-7-6V20h11v8h7v-8h10v8h7v-8h11v20l-7 6v25l8 6v9Z", "M34 46h32M34 71h32"],
  b: ["M50 12a6 6 0 0 1 4.400 10C65 31 70 44 63 56c-3 4-5 5-5 8l3 9h12v13H27V73h12l3-9c0-3-2-4-5-8-7-12-2-25 8.600-34A6 6 0 0 1 50 12Z", "M50 34v16M42 42h16M42 64h16"],
  n: ["M27 86h47c2-24 1-42-8-53-6-7-13-9-18-10l-5-9-5 10c-5 5-8 11-10 19L17 56c-2 5 1 11 7 11l7-3c4-2 9-2 14-5-2 8-16 12-18 27Z", "M38 38l4-2M58 38c6 7 7 18 6 30"],
  q: ["M27 86l1-11c4-6 3-11 0-20L15 33l18 12 3-25 14 22 14-22 3 25 18-12-13 22c-3 9-4 14 0 20l1 11Z", "M29 68h42M28 77h44"],
  k: ["M46 8h8v7h7v8h-7v9c4 1 7 4 9 7 18-4 28 12 17 25-4 5-6 7-6 11v11H26V75c0-4-2-6-6-11C9 51 19 35 37 39c2-3 5-6 9-7v-9h-7v-8h7Z", "M27 75c14-4 32-4 46 0M50 40v22"],
};

function chessman(kind) {
  const [outline, ...lines] = SHAPES[kind];
  return [
    svg("path", { d: outline, class: "man-fill" }),
    ...lines.map((d) => svg("path", { d, class: "man-line" })),
  ];
}

/** A man of a side; the caller places it. `look` is how the game looks: a state of it, for instance. */
export function man(look, side, kind) {
  const { style } = look;
  const group = svg("g", { class: `man side-${style === "dominoes" || style === "marks" ? side : colour(look, side)}` });
  if (style === "chess") group.append(...chessman(kind));
  else if (style === "knights") group.append(...chessman("n"));
  else if (style === "marks") {
    group.append(
      side === 0
        ? svg("path", { d: "M26 26l48 48M74 26 26 74", class: "mark" })
        : svg("circle", { cx: 50, cy: 50, r: 27, class: "mark" }),
    );
  } else {
    group.append(svg("circle", { cx: 50, cy: 50, r: style === "stones" ? 44 : 37, class: "man-fill" }));
    if (style !== "stones") group.append(svg("circle", { cx: 50, cy: 50, r: 25, class: "man-line" }));
  }
  return group;
}

/** The colour of a side's men, light or dark. */
export function colour({ light_first: lightFirst }, side) {
  return (side === 0) === lightFirst ? "white" : "black";
}

export const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king", m: "man" };
