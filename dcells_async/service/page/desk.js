// What all panels share: the problem as it stands in the form, knobs, and a voice.

import { Refusal } from "./api.js";
import { byId, el } from "./dom.js";
import { dominoes } from "./puzzles/dominoes.js";
import { edges } from "./puzzles/edges.js";
import { langford } from "./puzzles/langford.js";
import { pentominoes } from "./puzzles/pentominoes.js";
import { queens } from "./puzzles/queens.js";
import { raw } from "./puzzles/raw.js";
import { sudoku } from "./puzzles/sudoku.js";

const KINDS = [queens, pentominoes, sudoku, langford, edges, dominoes, raw];

export class Desk {
  /** Offer the kinds of problems; calls `changed` when there is another problem. */
  constructor(changed) {
    this.changed = changed;
    for (const kind of KINDS) {
      const radio = el("input", { type: "radio", name: "kind", value: kind.key });
      radio.addEventListener("change", () => this.choose(kind.key));
      byId("kinds").append(el("label", {}, radio, el("span", {}, kind.title)));
    }
    this.choose(KINDS[0].key);
  }

  choose(key) {
    this.kind = KINDS.find((kind) => kind.key === key);
    byId("kinds").querySelector(`[value=${key}]`).checked = true;
    byId("about").textContent = this.kind.about;
    const form = byId("form");
    form.replaceChildren();
    const complain = (error) => this.complain(error);
    this.read = this.kind.form(form, () => this.#altered(), complain);
    this.#altered();
  }

  /** What a panel asks for; or nothing, and what is wrong with it is told. */
  asked(panel) {
    this.quiet();
    try {
      const knobs = readKnobs();
      const token = byId("token").value || undefined;
      return { puzzle: this.read(), name: this.kind.key, token, knobs: { ...knobs, token } };
    } catch (error) {
      this.complain(error, panel);
      return null;
    }
  }

  #altered() {
    this.quiet();
    this.changed();
  }

  /** Tell how a panel stands, for those who do not see it, too; not every number. */
  say(panel, text) {
    const status = byId(`${panel}-status`);
    if (status.textContent !== text) status.textContent = text;
  }

  /** What a panel shows, if anything, belongs to the problem as it was. */
  outdate(panel) {
    byId(`${panel}-old`).hidden = !byId(`${panel}-status`).textContent;
  }

  /** Tell what is wrong; the panel that it befell no longer stands as it said. */
  complain(error, panel) {
    if (panel) this.say(panel, "");
    const place = error instanceof Refusal ? error.place : "";
    byId("error-text").textContent = error.message;
    byId("error-place").textContent = place;
    byId("error-place").hidden = !place;
    byId("error").hidden = false;
  }

  quiet() {
    byId("error").hidden = true;
  }
}

function readKnobs() {
  const knobs = { engine: byId("engine").value };
  for (const name of ["limit", "timeout"]) {
    const input = byId(name);
    if (!input.checkValidity()) throw new Error(`${input.labels[0].textContent}: ${input.validationMessage}`);
    if (input.value) knobs[name] = Number(input.value);
  }
  return knobs;
}
