// The panel that lists covers: start, pause, step, resume, cancel, download.
//
// Pausing needs no special case in the service: a search goes no further than its reader
// wants. So a pace of five boards a second is a search that rests most of the time.

import { outcomeOf } from "./api.js";
import { byId, enable, onPress } from "./dom.js";
import { Gallery } from "./gallery.js";
import { Kept, MOST_KEPT } from "./keeping.js";
import { Meters } from "./meters.js";
import { Search } from "./search.js";

const TICK_MS = { slow: 1000, quick: 200, fast: 50 };
const AHEAD = 1000;

export class Solving {
  constructor(desk) {
    this.desk = desk;
    this.gallery = new Gallery(byId("gallery"));
    this.kept = new Kept();
    this.meters = new Meters();
    this.kept.clear();
    this.meters.clear();
    this.state = "idle";
    onPress(byId("start"), () => this.start("running"));
    onPress(byId("pause"), () => (this.state === "paused" ? this.resume() : this.pause()));
    onPress(byId("step"), () => this.step());
    onPress(byId("cancel"), () => this.search.cancel());
    onPress(byId("download"), () => this.kept.download(this.name));
    byId("pace").addEventListener("change", () => this.#beat());
    this.#become("idle");
  }

  start(state) {
    this.search?.drop();
    const asked = this.desk.asked("solve");
    if (!asked) return this.#become("over");
    this.puzzle = asked.puzzle;
    this.name = asked.name;
    this.held = [];
    this.shown = 0;
    this.kept.clear();
    this.gallery.clear();
    this.meters.clear();
    this.meters.covers(0);
    byId("solve-old").hidden = true;
    const order = { problem: this.puzzle.dlx.text, pulse: 0.2, ...asked.knobs };
    this.search = new Search("v1/solve", order, {
      cover: (record) => this.#found(record),
      pulse: (record) => this.meters.pulse(record),
      end: (record) => this.#ended(record),
      fail: (error) => this.#failed(error),
    });
    this.#become(state);
    this.desk.say("solve", "The search has begun.");
    if (state === "stepping") this.search.more(1);
  }

  pause() {
    this.search.pause();
    this.#become("paused");
    this.desk.say("solve", "Paused: the search stands still.");
  }

  resume() {
    this.#release(this.held.length);
    this.search.more(0);
    this.#become("running");
    this.desk.say("solve", "The search goes on.");
  }

  /** One board more: one that came when we had just paused, or the next that is found. */
  step() {
    if (this.state !== "paused") return this.start("stepping");
    if (this.held.length) return this.#release(1);
    this.#become("stepping");
    this.search.more(this.search.wanted ? 0 : 1);
  }

  /** There is another problem. */
  leave() {
    if (isOpen(this.state)) this.search.cancel();
    this.desk.outdate("solve");
  }

  #found(cover) {
    this.held.push(cover);
    if (this.state === "paused") return;
    this.#release(this.state === "stepping" ? 1 : this.held.length);
    if (this.state !== "stepping") return;
    if (this.search.wanted) this.search.pause();
    this.#become("paused");
    this.desk.say("solve", `Board ${this.shown}: ${this.puzzle.tell(cover)}`);
  }

  #release(number) {
    for (const cover of this.held.splice(0, number)) {
      this.shown += 1;
      this.kept.add(cover);
      this.gallery.add(this.shown, cover, this.puzzle);
    }
    this.meters.covers(this.shown);
    enable(byId("download"), this.shown > 0);
  }

  #ended(end) {
    this.#release(this.held.length);
    if (end.stats) this.meters.end(end.stats);
    this.#become("over");
    this.gallery.settle();
    const kept = this.shown > MOST_KEPT ? ` The first ${MOST_KEPT} can be downloaded.` : "";
    this.desk.say("solve", `The search ${outcomeOf(end)}: ${this.#number}.${kept}`);
  }

  #failed(error) {
    this.#release(this.held.length);
    this.#become("over");
    this.desk.complain(error, "solve");
    if (this.shown) this.desk.say("solve", `The search broke off: ${this.#number}.`);
  }

  get #number() {
    return `${this.shown} ${this.shown === 1 ? "cover" : "covers"}`;
  }

  #become(state) {
    this.state = state;
    byId("pause").textContent = state === "paused" ? "Resume" : "Pause";
    enable(byId("pause"), isOpen(state));
    enable(byId("step"), !["running", "stepping"].includes(state));
    enable(byId("cancel"), isOpen(state));
    enable(byId("download"), this.kept.covers.length > 0);
    this.#beat();
  }

  /** Say at the chosen pace how many covers are wanted. */
  #beat() {
    clearInterval(this.beat);
    if (this.state !== "running") return;
    const pace = byId("pace").value;
    const most = pace === "fast" ? AHEAD : 1;
    const want = () => {
      const { wanted } = this.search;
      if (wanted <= most / 2) this.search.more(most - wanted);
    };
    want();
    this.beat = setInterval(want, TICK_MS[pace]);
  }
}

function isOpen(state) {
  return ["running", "paused", "stepping"].includes(state);
}
