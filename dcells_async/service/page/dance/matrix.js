// The matrix: a column for each item, a row for each option; with links, if there are.

import { picture, svg } from "../dom.js";

const WIDE = 30;
const HIGH = 24;
const LEFT = 44;
const TOP = 74;

const x = (item) => LEFT + WIDE * (item + 0.5);
const y = (option) => TOP + HIGH * (option + 0.5);

export function drawMatrix(start, model, step, label) {
  const chosen = new Set(step?.chosen ?? []);
  const changed = new Set((step?.writes ?? []).map(({ name, at }) => `${name} ${at}`));
  const [width, height] = [LEFT + WIDE * start.names.length + 6, y(start.matrix.length)];
  const drawing = picture(width, height, label);
  drawing.setAttribute("width", width);
  drawing.setAttribute("height", height);
  start.matrix.forEach((_, option) => drawing.append(...row(option, model, step, chosen, width)));
  if (model.down) drawing.append(...links(model, changed));
  start.names.forEach((name, item) => drawing.append(head(name, item, model, step, changed, start)));
  start.matrix.forEach((entries, option) => {
    const isLive = model.left.options[option];
    for (const [item, color] of entries) {
      const state = chosen.has(option + 1) ? "chosen" : isLive ? "live" : "gone";
      drawing.append(entry(item, option, color, state, model.left.items[item]));
    }
  });
  return drawing;
}

function row(option, model, step, chosen, width) {
  const isChosen = chosen.has(option + 1);
  const isAbout = step?.option === option + 1;
  const state = isChosen ? "chosen" : model.left.options[option] ? "live" : "gone";
  return [
    svg("rect", {
      x: 2,
      y: y(option) - HIGH / 2 + 1,
      width: width - 4,
      height: HIGH - 2,
      rx: 4,
      class: `row ${state} ${isAbout ? "about" : ""}`,
    }),
    svg("text", { x: 22, y: y(option) + 5, class: `row-name ${state}` }, `${isChosen ? "✓ " : ""}${option + 1}`),
  ];
}

function head(name, item, model, step, changed, start) {
  const state = model.left.items[item] ? "live" : "gone";
  const isAbout = step?.item === item;
  const kind = item < start.primary ? "" : "secondary";
  const shown = name.length > 4 ? `${name.slice(0, 3)}…` : name;
  return svg(
    "g",
    { class: `head ${state} ${kind} ${isAbout ? "about" : ""}` },
    svg("title", {}, name),
    svg("rect", { x: x(item) - 13, y: TOP - 44, width: 26, height: 40, rx: 4 }),
    svg("text", { x: x(item), y: TOP - 28, class: "head-name" }, shown),
    svg(
      "text",
      { x: x(item), y: TOP - 10, class: `size ${changed.has(`size ${item}`) ? "written" : ""}` },
      String(model.size[item]),
    ),
  );
}

function entry(item, option, color, state, isOpen) {
  const mark = svg("circle", {
    cx: x(item),
    cy: y(option),
    r: color ? 8 : 5,
    class: `entry ${state} ${isOpen ? "" : "closed"}`,
  });
  if (!color) return mark;
  const text = svg("text", { x: x(item), y: y(option) + 4, class: `entry-color ${state}` }, color.slice(0, 2));
  return svg("g", {}, mark, text);
}

/** Pointers down and right; a list's last one, back to its head, is not drawn. */
function links(model, changed) {
  const lines = [];
  const place = (node) => (model.option[node] < 0 ? TOP - 4 : y(model.option[node]));
  model.down.forEach((below, node) => {
    if (node === 0 || model.option[below] < 0) return;
    const isIn = model.up[below] === node;
    const isWritten = changed.has(`down ${node}`) || (isIn && changed.has(`up ${below}`));
    lines.push(pointer(x(model.top[node]), place(node), place(below), isIn, isWritten));
  });
  model.next.forEach((next, head) => {
    if (next === 0 || head === 0 || next === head) return;
    const isIn = model.prev[next] === head;
    const isWritten = changed.has(`right ${head}`) || (isIn && changed.has(`left ${next}`));
    const [from, to] = [x(head - 1), x(next - 1)];
    const rise = Math.min(26, 8 + (to - from) / 10);
    lines.push(svg("path", {
      d: `M${from} ${TOP - 44}C${from} ${TOP - 44 - rise} ${to} ${TOP - 44 - rise} ${to} ${TOP - 44}`,
      class: `link ${isIn ? "" : "dangling"} ${isWritten ? "written" : ""}`,
    }));
  });
  return lines;
}

/** A pointer that passes others by makes a bow round them. */
function pointer(at, from, to, isIn, isWritten) {
  const bow = isIn ? Math.min(11, 3 + (to - from) / 14) : 0;
  const d = `M${at} ${from}C${at + bow} ${from + 6} ${at + bow} ${to - 6} ${at} ${to}`;
  return svg("path", { d, class: `link ${isIn ? "" : "dangling"} ${isWritten ? "written" : ""}` });
}
