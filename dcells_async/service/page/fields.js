// Labelled fields. Each gives a function that reads it, or throws what is wrong;
// and that has another one, `set`.

import { el } from "./dom.js";

let made = 0;

export function numberField(root, { label, value, min, max, changed }) {
  const input = el("input", { type: "number", value, min, max, required: "" });
  place(root, label, input, changed);
  const read = () => {
    const number = Number(input.value);
    if (!Number.isInteger(number) || number < min || number > max) {
      throw new Error(`${label}: a whole number from ${min} to ${max}`);
    }
    return number;
  };
  return Object.assign(read, {
    set: (number) => (input.value = number),
  });
}

export function choiceField(root, { label, choices, changed }) {
  const select = el("select");
  for (const [key, text] of choices) select.append(el("option", { value: key }, text));
  place(root, label, select, changed);
  return Object.assign(() => select.value, {
    set: (key) => (select.value = key),
  });
}

/** A choice of examples; gives what shows the one chosen, to begin with, too. */
export function startField(root, examples, show, changed) {
  const begin = () => show(examples[chosen()]);
  const chosen = choiceField(root, {
    label: "Start from",
    choices: Object.keys(examples).map((name) => [name, name]),
    changed: () => {
      begin();
      changed();
    },
  });
  return begin;
}

export function textField(root, { label, rows, changed }) {
  const area = el("textarea", { rows, spellcheck: "false", autocapitalize: "off" });
  place(root, label, area, changed).classList.add("wide");
  return Object.assign(() => area.value, {
    set: (text) => (area.value = text),
  });
}

function place(root, label, control, changed) {
  control.id = `field-${++made}`;
  const box = el("p", { class: "field" }, el("label", { for: control.id }, label), control);
  control.addEventListener("input", () => changed());
  root.append(box);
  return box;
}
