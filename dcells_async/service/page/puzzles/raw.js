// Any problem, as DLX text.

import { picture, svg } from "../dom.js";
import { startField, textField } from "../fields.js";

const EXAMPLES = {
  "Knuth’s small one": "a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n",
  "with colors": "p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n",
  "three pairs of letters": "a b c d e f\na b\nc d\ne f\na c\nb d\na e\nd f\nb c\nc f\nb e\n",
};

export const raw = {
  key: "raw",
  title: "Any problem",
  about:
    "In the DLX format: a line of items, those after a | secondary, and then a line for " +
    "each option. item:color gives a secondary item a color.",
  form(root, changed) {
    const begin = startField(root, EXAMPLES, (example) => text.set(example), changed);
    const text = textField(root, { label: "Problem", rows: 9, changed });
    begin();
    return () => puzzle(text());
  },
};

function puzzle(text) {
  return {
    dlx: { text },
    draw: ({ names }, label) => lines(names.map((option) => option.join(" ")), label),
    tell: ({ options }) => `options ${options.join(", ")}`,
    heat: null,
  };
}

const MOST_LINES = 14;
const MOST_LETTERS = 24;

function lines(options, label) {
  const shown = options.slice(0, MOST_LINES);
  if (options.length > shown.length) shown.push(`and ${options.length - shown.length} more`);
  const texts = shown.map((option, at) =>
    svg("text", { x: 1, y: 7 * at + 6, class: "line" }, shortened(option)),
  );
  return picture(90, 7 * shown.length + 3, label, ...texts);
}

function shortened(text) {
  return text.length > MOST_LETTERS ? text.slice(0, MOST_LETTERS - 1) + "…" : text;
}
