// The sets of dancing cells: what an item still has stands in front of the bar.

import { picture, svg } from "../dom.js";

const WIDE = 26;
const HIGH = 26;
const LEFT = 84;

export function drawStrips(model, step, label) {
  const written = new Map();
  for (const { array, at } of step?.writes ?? []) {
    if (!written.has(array)) written.set(array, new Set());
    written.get(array).add(at);
  }
  const rows = [
    { name: "active", members: model.active, size: model.count[0], text: (item) => model.names[item] },
    ...model.names.map((name, item) => ({
      name,
      members: model.members[item],
      size: model.size[item],
      text: (option) => String(option + 1),
    })),
  ];
  const most = Math.max(...rows.map(({ members }) => members.length));
  const [width, height] = [LEFT + WIDE * most + 8, HIGH * rows.length + 4];
  const drawing = picture(width, height, label, ...rows.flatMap((row, at) => strip(row, at, written)));
  drawing.setAttribute("width", width);
  drawing.setAttribute("height", height);
  return drawing;
}

function strip({ name, members, size, text }, row, written) {
  const y = HIGH * row + 3;
  const shown = name.length > 8 ? `${name.slice(0, 7)}…` : name;
  const cells = members.flatMap((member, at) => {
    const x = LEFT + WIDE * at;
    const state = at < size ? "live" : "gone";
    const isWritten = written.get(members)?.has(at);
    return [
      svg("rect", {
        x: x + 1,
        y,
        width: WIDE - 3,
        height: HIGH - 5,
        rx: 3,
        class: `cell ${state} ${isWritten ? "written" : ""}`,
      }),
      svg("text", { x: x + WIDE / 2 - 0.5, y: y + 15, class: `cell-text ${state}` }, text(member).slice(0, 4)),
    ];
  });
  const bar = LEFT + WIDE * size - 0.5;
  return [
    svg("text", { x: 4, y: y + 15, class: "strip-name" }, `${shown}: ${size}`),
    ...cells,
    svg("path", { d: `M${bar} ${y - 2}v${HIGH - 1}`, class: "bar" }),
  ];
}
