// Pictures of a board that is cut into pieces, and of how often it is cut where.

import { picture, svg } from "./dom.js";
import { percent } from "./numbers.js";

const SIDES = [
  [0, -1, (x, y) => `M${x} ${y}h10`],
  [0, 1, (x, y) => `M${x} ${y + 10}h10`],
  [-1, 0, (x, y) => `M${x} ${y}v10`],
  [1, 0, (x, y) => `M${x + 10} ${y}v10`],
];

const key = (x, y) => `${x},${y}`;

/** Draw pieces: each with cells, a tint from 0 to 11, and perhaps a letter. */
export function drawTiling(rows, pieces, label) {
  const owner = new Map();
  pieces.forEach((piece, at) => piece.cells.forEach(([x, y]) => owner.set(key(x, y), at)));
  const walls = [];
  const fills = pieces.map((piece, at) => {
    const squares = piece.cells.map(([x, y]) => {
      for (const [dx, dy, line] of SIDES) {
        if (owner.get(key(x + dx, y + dy)) !== at) walls.push(line(10 * x, 10 * y));
      }
      return `M${10 * x} ${10 * y}h10v10h-10z`;
    });
    return svg("path", { d: squares.join(""), class: `piece tint-${piece.tint}` });
  });
  const letters = pieces
    .filter((piece) => piece.letter)
    .map((piece) => {
      const [x, y] = middle(piece.cells);
      return svg("text", { x: 10 * x + 5, y: 10 * y + 7.6, class: "letter" }, piece.letter);
    });
  const [width, height] = extent(rows);
  const lines = svg("path", { d: walls.join(""), class: "wall" });
  return framed(width, height, label, ...fills, lines, ...letters);
}

/**
 * Draw each line between two cells as dark as it is often a border of pieces; that is
 * stretched from the least to the most, which the caption tells.
 */
export function wallsPicture(rows, cells, placements, shares) {
  const together = new Map();
  placements.forEach(({ cells: piece }, at) => {
    const own = new Set(piece.map(([x, y]) => key(x, y)));
    for (const [x, y] of piece) {
      for (const [dx, dy] of [[1, 0], [0, 1]]) {
        if (own.has(key(x + dx, y + dy))) {
          const name = `${key(x, y)} ${dx}`;
          together.set(name, (together.get(name) ?? 0) + shares[at]);
        }
      }
    }
  });
  const open = new Set(cells.map(([x, y]) => key(x, y)));
  const [width, height] = extent(rows);
  const squares = cells.map(([x, y]) => `M${10 * x} ${10 * y}h10v10h-10z`).join("");
  const rim = [];
  const cuts = [];
  for (const [x, y] of cells) {
    for (const [dx, dy, line] of SIDES) {
      const d = line(10 * x, 10 * y);
      if (!open.has(key(x + dx, y + dy))) rim.push(d);
      else if (dx + dy > 0) cuts.push({ d, cut: 1 - (together.get(`${key(x, y)} ${dx}`) ?? 0) });
    }
  }
  const least = Math.min(...cuts.map(({ cut }) => cut));
  const most = Math.max(...cuts.map(({ cut }) => cut));
  const lines = cuts.map(({ d, cut }) => {
    const strength = most - least > 1e-6 ? (cut - least) / (most - least) : 1;
    const line = { d, class: "cut", "stroke-opacity": 0.06 + 0.94 * strength };
    return svg("path", line, svg("title", {}, percent(cut)));
  });
  const title = cuts.length
    ? `How often it is cut between two cells: from ${percent(least)} to ${percent(most)}`
    : "There is nothing to cut";
  const ground = svg("path", { d: squares, class: "ground" });
  const border = svg("path", { d: rim.join(""), class: "wall" });
  return { title, drawing: framed(width, height, title, ground, ...lines, border) };
}

/** Draw each cell as dark as it is often covered by these placements. */
export function drawShading(rows, cells, placements, shares, tint, label) {
  const sums = new Map(cells.map(([x, y]) => [key(x, y), 0]));
  placements.forEach((placement, at) =>
    placement.cells.forEach(([x, y]) => sums.set(key(x, y), sums.get(key(x, y)) + shares[at])),
  );
  const most = Math.max(...sums.values(), 1e-9);
  const [width, height] = extent(rows);
  const squares = cells.map(([x, y]) => {
    const share = sums.get(key(x, y));
    const place = { x: 10 * x, y: 10 * y, width: 10, height: 10 };
    return svg(
      "g",
      {},
      svg("title", {}, percent(share)),
      svg("rect", { ...place, class: "ground" }),
      svg("rect", { ...place, class: `piece tint-${tint}`, "fill-opacity": share / most }),
    );
  });
  return framed(width, height, label, ...squares);
}

function framed(width, height, label, ...children) {
  const drawing = picture(10 * width, 10 * height, label, ...children);
  drawing.setAttribute("viewBox", `-1 -1 ${10 * width + 2} ${10 * height + 2}`);
  return drawing;
}

function extent(rows) {
  return [Math.max(...rows.map((row) => row.length)), rows.length];
}

/** The cell of a piece that is nearest to its middle. */
function middle(cells) {
  const mean = (axis) => cells.reduce((sum, cell) => sum + cell[axis], 0) / cells.length;
  const [mx, my] = [mean(0), mean(1)];
  const far = ([x, y]) => (x - mx) ** 2 + (y - my) ** 2;
  return cells.reduce((best, cell) => (far(cell) < far(best) ? cell : best));
}
