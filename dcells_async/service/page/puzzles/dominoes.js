// Dominoes on any board: an item for each cell, an option for each two neighbors.

import { BoardEditor, openCells, rectangle } from "../board-editor.js";
import { Writer } from "../dlx.js";
import { startField } from "../fields.js";
import { drawTiling, wallsPicture } from "../tiling.js";

const BOARDS = {
  "8 × 8": rectangle(8, 8),
  "8 × 8 without two corners": rectangle(8, 8).map((row, y) =>
    y === 0 ? ".#######" : y === 7 ? "#######." : row,
  ),
  "2 × 10": rectangle(10, 2),
  "Aztec diamond of order 6": aztec(6),
  "Aztec diamond of order 10": aztec(10),
  "12 × 12": rectangle(12, 12),
  "16 × 16": rectangle(16, 16),
};

export const dominoes = {
  key: "dominoes",
  title: "Dominoes",
  about: "Fill a board with pieces of two squares.",
  form(root, changed) {
    const begin = startField(root, BOARDS, (rows) => editor.show(rows), changed);
    const editor = new BoardEditor(root, changed);
    begin();
    return () => puzzle(editor.rows);
  },
};

function puzzle(rows) {
  const cells = openCells(rows);
  if (!cells.length) throw new Error("Board: it has no cells");
  const name = ([x, y]) => `x${x + 1}y${y + 1}`;
  const open = new Set(cells.map(name));
  const dlx = new Writer([...open]);
  for (const [x, y] of cells) {
    for (const other of [[x + 1, y], [x, y + 1]]) {
      if (open.has(name(other))) {
        // The tint tells whether it lies or stands, and on which color of a chessboard.
        const tint = 2 * (other[1] - y) + ((x + y) % 2);
        dlx.add([name([x, y]), name(other)], { cells: [[x, y], other], tint: 3 * tint });
      }
    }
  }
  return {
    dlx,
    draw: (cover, label) => drawTiling(rows, dlx.meaningsOf(cover), label),
    tell: ({ options }) => `${options.length} dominoes`,
    heat: (shares) => [wallsPicture(rows, cells, dlx.meanings, shares)],
  };
}

function aztec(order) {
  const rows = [...Array(order).keys()].map((k) =>
    "#".repeat(2 * k + 2).padStart(order + k + 1, ".").padEnd(2 * order, "."),
  );
  return [...rows, ...rows.toReversed()];
}
