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

export function choiceField(root, { label, choices, value, changed }) {
  const select = el("select");
  for (const [key, text] of choices) select.append(el("option", { value: key }, text));
  if (value !== undefined) select.value = value;
  place(root, label, select, changed);
  return Object.assign(() => select.value, {
    set: (key) => (select.value = key),
  });
}

export function textField(root, { label, value, rows, changed }) {
  const area = el("textarea", { rows, spellcheck: "false", autocapitalize: "off" });
  area.value = value;
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
