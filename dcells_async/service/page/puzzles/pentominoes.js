// The twelve pentominoes on any board: an item for each piece and each cell.

import { BoardEditor, openCells, rectangle } from "../board-editor.js";
import { Writer } from "../dlx.js";
import { el } from "../dom.js";
import { choiceField, startField } from "../fields.js";
import { drawShading, drawTiling, wallsPicture } from "../tiling.js";

const SHAPES = {
  F: ".## ##. .#.",
  I: "#####",
  L: "#### #...",
  N: "###. ..##",
  P: "### ##.",
  T: "### .#. .#.",
  U: "### #.#",
  V: "### #.. #..",
  W: "##. .## ..#",
  X: ".#. ### .#.",
  Y: "#### .#..",
  Z: "##. .#. .##",
};

const BOARDS = {
  "6 × 10": rectangle(10, 6),
  "5 × 12": rectangle(12, 5),
  "4 × 15": rectangle(15, 4),
  "3 × 20": rectangle(20, 3),
  "8 × 8 with a hole": rectangle(8, 8).map((row, y) =>
    y === 3 || y === 4 ? "###..###" : row,
  ),
  "8 × 8 without corners": rectangle(8, 8).map((row, y) =>
    y === 0 || y === 7 ? ".######." : row,
  ),
  "5 × 5": rectangle(5, 5),
  "8 × 8": rectangle(8, 8),
  "12 × 12": rectangle(12, 12),
};

export const pentominoes = {
  key: "pentominoes",
  title: "Pentominoes",
  about: "Fill a board with pieces of five squares, turned and flipped as you like.",
  form(root, changed) {
    const begin = startField(root, BOARDS, (rows) => editor.show(rows), () => hold());
    const use = choiceField(root, {
      label: "Use each piece",
      choices: [
        ["once", "exactly once"],
        ["most", "at most once"],
        ["any", "as often as it fits"],
      ],
      changed: () => hold(),
    });
    const fit = el("p", { class: "hint wide" });
    const measure = () => {
      fit.textContent = fitting(openCells(editor.rows).length, use());
    };
    const hold = () => {
      measure();
      changed();
    };
    const editor = new BoardEditor(root, hold);
    root.append(fit);
    begin();
    measure();
    return () => puzzle(editor.rows, use());
  },
};

function fitting(cells, use) {
  const wanted = {
    once: cells === 60 || "twelve pieces cover 60",
    most: (cells % 5 === 0 && cells <= 60) || "pieces cover a multiple of 5, up to 60",
    any: cells % 5 === 0 || "pieces cover a multiple of 5",
  }[use];
  return wanted === true ? `${cells} cells.` : `${cells} cells, and ${wanted}: there is no way.`;
}

function puzzle(rows, use) {
  const cells = openCells(rows);
  if (!cells.length) throw new Error("Board: it has no cells");
  const letters = Object.keys(SHAPES);
  const names = new Map(cells.map(([x, y]) => [`${x},${y}`, `x${x + 1}y${y + 1}`]));
  const primary = [...(use === "once" ? letters : []), ...names.values()];
  const dlx = new Writer(primary, use === "most" ? letters : []);
  letters.forEach((letter, tint) => {
    for (const turned of orientations(SHAPES[letter])) {
      for (const [ox, oy] of origins(rows)) {
        const piece = turned.map(([x, y]) => [x + ox, y + oy]);
        const items = piece.map(([x, y]) => names.get(`${x},${y}`));
        if (items.every(Boolean)) {
          dlx.add(use === "any" ? items : [letter, ...items], { letter, tint, cells: piece });
        }
      }
    }
  });
  return {
    dlx,
    draw: (cover, label) => drawTiling(rows, dlx.meaningsOf(cover), label),
    tell: ({ options }) => `${options.length} pieces`,
    heat: (shares) => [
      wallsPicture(rows, cells, dlx.meanings, shares),
      ...letters.map((letter, tint) => {
        const own = [...dlx.meanings.keys()].filter((at) => dlx.meanings[at].letter === letter);
        return {
          title: `Where ${letter} lies`,
          drawing: drawShading(
            rows,
            cells,
            own.map((at) => dlx.meanings[at]),
            own.map((at) => shares[at]),
            tint,
            `Frequencies of ${letter}`,
          ),
        };
      }),
    ],
  };
}

function* origins(rows) {
  for (let y = 0; y < rows.length; y++) {
    for (let x = 0; x < rows[0].length; x++) yield [x, y];
  }
}

/** All ways to turn and flip a shape, each once, with the least corner at 0, 0. */
function orientations(shape) {
  let cells = openCells(shape.split(" "));
  const found = new Map();
  for (let turn = 0; turn < 8; turn++) {
    cells = cells.map(turn === 4 ? ([x, y]) => [-x, y] : ([x, y]) => [-y, x]);
    const left = Math.min(...cells.map(([x]) => x));
    const top = Math.min(...cells.map(([, y]) => y));
    const settled = cells.map(([x, y]) => [x - left, y - top]);
    found.set(JSON.stringify(settled.map(String).sort()), settled);
  }
  return [...found.values()];
}
