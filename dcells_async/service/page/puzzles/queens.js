// Queens on a board: rows and columns are primary items, diagonals secondary.

import { picture, svg } from "../dom.js";
import { Writer } from "../dlx.js";
import { numberField } from "../fields.js";
import { percent } from "../numbers.js";

export const queens = {
  key: "queens",
  title: "Queens",
  about: "As many queens as the board has rows, none attacking another.",
  form(root, changed) {
    const size = numberField(root, { label: "Rows", value: 8, min: 1, max: 40, changed });
    return () => puzzle(size());
  },
};

function puzzle(n) {
  const numbers = [...Array(n).keys()];
  // Rows and columns from the middle: queens there leave least room.
  const order = numbers.map((k) => (n >> 1) + (k % 2 ? -(k + 1) >> 1 : k >> 1));
  const primary = order.flatMap((k) => [`r${k + 1}`, `c${k + 1}`]);
  const diagonals = [...Array(2 * n - 1).keys()];
  const secondary = diagonals.flatMap((k) => [`a${k}`, `b${k}`]);
  const dlx = new Writer(primary, secondary);
  for (const y of numbers) {
    for (const x of numbers) {
      const items = [`r${y + 1}`, `c${x + 1}`, `a${x + y}`, `b${n - 1 - x + y}`];
      dlx.add(items, { x, y });
    }
  }
  return {
    dlx,
    draw: (cover, label) => board(n, label, checkered(n), dlx.meaningsOf(cover).map(queen)),
    tell: (cover) => {
      const columns = dlx.meaningsOf(cover).sort((a, b) => a.y - b.y);
      return "columns " + columns.map(({ x }) => x + 1).join(" ");
    },
    heat: (shares) => [
      {
        title: "How often each square has a queen",
        // On squares of one color: what is dark is frequent.
        drawing: board(n, "Frequencies of queens", "", shading(dlx.meanings, shares)),
      },
    ],
  };
}

function shading(places, shares) {
  const most = Math.max(...shares, 1e-9);
  return shares.map((share, k) => {
    const look = { width: 10, height: 10, class: "heat", "fill-opacity": share / most };
    const title = svg("title", {}, percent(share, 2));
    return svg("rect", { ...corner(places[k]), ...look }, title);
  });
}

function corner({ x, y }) {
  return { x: 10 * x, y: 10 * y };
}

function checkered(n) {
  const dark = [];
  for (let y = 0; y < n; y++) {
    for (let x = 0; x < n; x++) {
      if ((x + y) % 2) dark.push(`M${10 * x} ${10 * y}h10v10h-10z`);
    }
  }
  return dark.join("");
}

function board(n, label, dark, marks) {
  const ground = svg("rect", { width: 10 * n, height: 10 * n, class: "square-light" });
  const squares = svg("path", { d: dark, class: "square-dark" });
  return picture(10 * n, 10 * n, label, ground, squares, ...marks);
}

const CROWN = "M2 8.3h6l.9-5.2-2 1.9L5 2 3.1 5 1.1 3.1z";

function queen(place) {
  const { x, y } = corner(place);
  return svg("path", { d: CROWN, transform: `translate(${x} ${y})`, class: "queen" });
}
