// Edge matching: square tiles, whose colors agree where they meet.

import { Writer } from "../dlx.js";
import { picture, svg } from "../dom.js";
import { choiceField, numberField, startField, textField } from "../fields.js";

const EXAMPLES = {
  "9 tiles in a frame": { width: 3, height: 3, frame: "a", tiles: dealt(3, 3, "bcde", 5) },
  "16 tiles in a frame": { width: 4, height: 4, frame: "a", tiles: dealt(4, 4, "bcdef", 2) },
  "MacMahon’s 24 squares": { width: 6, height: 4, frame: "a", tiles: macmahon("abc") },
};

export const edges = {
  key: "edges",
  title: "Edge matching",
  about:
    "Tiles whose edges have the same color where they meet, and perhaps one color all " +
    "round. A line for each tile: its colors on top, to the right, below, to the left, " +
    "each a letter or digit.",
  form(root, changed) {
    const begin = startField(root, EXAMPLES, (example) => show(example), changed);
    const size = { min: 1, max: 12, changed };
    const width = numberField(root, { label: "Columns", value: 1, ...size });
    const height = numberField(root, { label: "Rows", value: 1, ...size });
    const frame = choiceField(root, {
      label: "Color all round",
      choices: [["", "any"], ...[..."abcdefgh"].map((color) => [color, color])],
      changed,
    });
    const turned = choiceField(root, {
      label: "Tiles may be turned",
      choices: [["yes", "yes"], ["no", "no"]],
      changed,
    });
    const tiles = textField(root, { label: "Tiles", rows: 6, changed });
    const show = (it) => {
      width.set(it.width);
      height.set(it.height);
      frame.set(it.frame);
      tiles.set(it.tiles.join("\n"));
    };
    begin();
    return () => puzzle(width(), height(), frame(), turned() === "yes", read(tiles()));
  },
};

function read(text) {
  const tiles = text.split("\n").map((line) => line.trim());
  return tiles.filter(Boolean).map((tile) => {
    if (!/^[A-Za-z0-9]{4}$/.test(tile)) {
      throw new Error(`Tiles: “${tile}” is not four letters or digits`);
    }
    return tile;
  });
}

function puzzle(width, height, frame, isTurned, tiles) {
  if (tiles.length !== width * height) {
    throw new Error(`Tiles: there are ${tiles.length}, for ${width * height} places`);
  }
  const places = [];
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) places.push([x, y]);
  const primary = [...places.map(([x, y]) => `p${x},${y}`), ...tiles.map((_, k) => `t${k + 1}`)];
  const joints = [];
  for (let y = 0; y <= height; y++) for (let x = 0; x < width; x++) joints.push(`h${x},${y}`);
  for (let y = 0; y < height; y++) for (let x = 0; x <= width; x++) joints.push(`v${x},${y}`);
  const dlx = new Writer(primary, joints);
  for (const [x, y] of places) {
    const isRim = [y === 0, x === width - 1, y === height - 1, x === 0];
    const around = [`h${x},${y}`, `v${x + 1},${y}`, `h${x},${y + 1}`, `v${x},${y}`];
    tiles.forEach((tile, number) => {
      for (const colors of isTurned ? turns(tile) : [tile]) {
        if (frame && isRim.some((rim, side) => rim && colors[side] !== frame)) continue;
        const items = around.map((joint, side) => `${joint}:${colors[side]}`);
        dlx.add([`p${x},${y}`, `t${number + 1}`, ...items], { x, y, colors });
      }
    });
  }
  const palette = [...new Set(tiles.join(""))].sort();
  return {
    dlx,
    draw: (cover, label) =>
      picture(10 * width, 10 * height, label, ...dlx.meaningsOf(cover).flatMap((it) => drawn(it, palette))),
    tell: (cover) => {
      const meanings = dlx.meaningsOf(cover).sort((a, b) => a.y - b.y || a.x - b.x);
      return meanings.map(({ colors }) => colors).join(" ");
    },
    heat: null,
  };
}

function turns(tile) {
  return [...new Set([0, 1, 2, 3].map((k) => tile.slice(k) + tile.slice(0, k)))];
}

const SIDES = ["M0 0h10l-5 5z", "M10 0v10l-5 -5z", "M10 10h-10l5 -5z", "M0 10v-10l5 5z"];
const SPOTS = [[5, 2.9], [8.2, 6], [5, 9.2], [1.8, 6]];

function drawn({ x, y, colors }, palette) {
  const transform = `translate(${10 * x} ${10 * y})`;
  const sides = [...colors].map((color, side) =>
    svg("path", { d: SIDES[side], class: `piece tint-${(5 * palette.indexOf(color)) % 12}` }),
  );
  const letters = [...colors].map((color, side) =>
    svg("text", { x: SPOTS[side][0], y: SPOTS[side][1], class: "color-name" }, color),
  );
  const rim = svg("path", { d: "M0 0h10v10h-10z", class: "wall hollow" });
  return [svg("g", { transform }, ...sides, ...letters, rim)];
}

/** All squares with edges of three colors, each once however it is turned. */
function macmahon(colors) {
  const found = new Map();
  for (const a of colors) for (const b of colors) for (const c of colors) for (const d of colors) {
    const tile = a + b + c + d;
    found.set(turns(tile).sort()[0], tile);
  }
  return [...found.keys()];
}

/** Cut a colored board into tiles, turn and shuffle them; the same for the same seed. */
function dealt(width, height, colors, seed) {
  let state = seed;
  const below = (most) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * most);
  };
  const any = () => colors[below(colors.length)];
  const rows = [...Array(height + 1).keys()];
  const columns = [...Array(width + 1).keys()];
  const flat = rows.map((y) => columns.map(() => (y === 0 || y === height ? "a" : any())));
  const upright = rows.map(() => columns.map((x) => (x === 0 || x === width ? "a" : any())));
  const tiles = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const tile = flat[y][x] + upright[y][x + 1] + flat[y + 1][x] + upright[y][x];
      const turn = below(4);
      tiles.splice(below(tiles.length + 1), 0, tile.slice(turn) + tile.slice(0, turn));
    }
  }
  return tiles;
}
