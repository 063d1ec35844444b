// The panel where the dance is watched: every step of it, forward and backward.

import { outcomeOf } from "./api.js";
import { Cells } from "./dance/cells.js";
import { Journal } from "./dance/journal.js";
import { Links } from "./dance/links.js";
import { drawMatrix } from "./dance/matrix.js";
import { drawStrips } from "./dance/strips.js";
import { byId, el, enable, onPress } from "./dom.js";
import { Search } from "./search.js";

const AHEAD = 100;
const MOST_STEPS = 20_000;
const MOST_ITEMS = 70;
const MOST_OPTIONS = 150;
const MOST_WRITES = 16;
const AROUND = 6;

export class Dancing {
  constructor(desk) {
    this.desk = desk;
    onPress(byId("watch"), () => this.begin());
    onPress(byId("dance-first"), () => this.#go(0));
    onPress(byId("dance-back"), () => this.#go(this.journal.at - 1));
    onPress(byId("dance-forward"), () => this.#go(this.journal.at + 1));
    onPress(byId("dance-play"), () => (this.timer ? this.stop() : this.play()));
    byId("dance-at").addEventListener("input", ({ target }) => this.#go(Number(target.value)));
    byId("dance-speed").addEventListener("change", () => this.timer && this.play());
    byId("way").addEventListener("change", () => this.leave());
  }

  begin() {
    this.leave();
    const asked = this.desk.asked("dance");
    if (!asked) return;
    const { puzzle, token } = asked;
    const way = byId("way").value;
    const order = { problem: puzzle.dlx.text, way, limit: MOST_STEPS, token };
    this.end = null;
    this.waiting = [];
    this.search = new Search("v1/trace", order, {
      start: (record) => this.#started(record, way),
      step: (record) => this.#came(record),
      end: (record) => this.#ended(record),
      fail: (error) => this.#failed(error),
    });
  }

  play() {
    this.stop();
    this.timer = setInterval(() => {
      if (this.#isLast) this.stop();
      else this.#go(this.journal.at + 1);
    }, Number(byId("dance-speed").value));
    byId("dance-text").setAttribute("aria-live", "off");
    byId("dance-play").textContent = "Stop";
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    byId("dance-text").setAttribute("aria-live", "polite");
    byId("dance-play").textContent = "Play";
  }

  /** There is another problem, or another way to dance. */
  leave() {
    this.stop();
    this.search?.drop();
    byId("dance").hidden = true;
    this.desk.say("dance", "");
  }

  #started(start, way) {
    if (start.items > MOST_ITEMS || start.options > MOST_OPTIONS) {
      this.search.drop();
      const size = `${start.items} items and ${start.options} options`;
      this.desk.complain(
        new Error(`${size} are too many to be watched: at most ${MOST_ITEMS} and ${MOST_OPTIONS}`),
      );
      return;
    }
    this.start = start;
    this.journal = new Journal();
    this.model = new (way === "links" ? Links : Cells)(start, this.journal);
    byId("dance").hidden = false;
    this.search.more(AHEAD);
    this.#draw();
  }

  #came(record) {
    this.waiting.push(record);
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      if (this.#isShown) this.#draw();
    });
  }

  #ended(end) {
    this.end = end;
    this.#draw();
  }

  /** What has come of it can still be watched. */
  #failed(error) {
    this.stop();
    this.desk.complain(error, "dance");
    if (this.#isShown) this.#ended({ outcome: "lost" });
  }

  get #isShown() {
    return !byId("dance").hidden;
  }

  get #isLast() {
    return this.journal.isAtEnd && !this.waiting.length && this.end !== null;
  }

  /** Go forward or back to a step; forward no further than steps have come. */
  #go(at) {
    const { journal } = this;
    while (journal.at > Math.max(0, at)) journal.back();
    while (journal.at < at) {
      if (!journal.isAtEnd) journal.forward();
      else if (this.waiting.length) journal.add(this.waiting.shift(), this.model);
      else break;
    }
    const due = AHEAD - this.waiting.length - this.search.wanted;
    if (!this.search.isOver && due > AHEAD / 2) this.search.more(due);
    this.#draw();
  }

  #draw() {
    const { journal, model, start } = this;
    const step = journal.step;
    const known = journal.steps.length + this.waiting.length;
    const text = step ? step.text : "This is how it begins.";
    const name = `After step ${journal.at}: ${text}`;
    const pictures = [drawMatrix(start, model, step, name)];
    if (model.members) pictures.push(drawStrips(model, step, `The sets. ${name}`));
    byId("dance-picture").replaceChildren(...pictures);
    byId("dance-text").textContent = this.#isLast ? `${text} – the search ${outcomeOf(this.end)}` : text;
    this.desk.say("dance", this.#isLast ? "The dance is at its end." : "The dance has begun.");
    byId("dance-text").dataset.action = step?.action ?? "";
    byId("dance-chosen").textContent = `In the cover: ${step?.chosen.join(", ") || "nothing yet"}`;
    byId("dance-at").max = known;
    byId("dance-at").value = journal.at;
    byId("dance-step").textContent = `${journal.at} of ${known}${this.end ? "" : " so far"}`;
    enable(byId("dance-first"), journal.at > 0);
    enable(byId("dance-back"), journal.at > 0);
    enable(byId("dance-forward"), journal.at < known);
    enable(byId("dance-play"), !this.#isLast);
    this.#list(step);
  }

  #list(step) {
    const { journal, model } = this;
    const writes = (step?.writes ?? []).filter(({ name }) => name).map((write) => model.tell(write));
    const rest = writes.length - MOST_WRITES;
    const told = rest > 0 ? [...writes.slice(0, MOST_WRITES), `and ${rest} more`] : writes;
    byId("dance-writes").replaceChildren(...(told.length ? told : ["nothing"]).map((text) => el("li", {}, text)));
    const first = Math.max(0, journal.at - AROUND);
    const around = [...journal.steps, ...this.waiting.slice(0, AROUND)].slice(first, journal.at + AROUND);
    byId("dance-steps").replaceChildren(
      ...around.map(({ text, depth }, at) => {
        const isNow = first + at + 1 === journal.at;
        const line = el("li", { value: first + at + 1, "aria-current": isNow && "step" }, text);
        line.style.setProperty("--depth", depth);
        return line;
      }),
    );
  }
}
