// The panel that counts all covers at once by a decision diagram, draws some of them at
// random, and tells how many use each option.

import { outcomeOf, recordsOf } from "./api.js";
import { byId, enable, onPress } from "./dom.js";
import { framed, size } from "./gallery.js";
import { number } from "./numbers.js";

const DRAWN = 12;

export class Counting {
  constructor(desk) {
    this.desk = desk;
    onPress(byId("count"), () => this.count());
    onPress(byId("count-cancel"), () => this.#cancel());
    enable(byId("count-cancel"), false);
  }

  async count() {
    this.#cancel();
    const asked = this.desk.asked("count");
    if (!asked) return;
    byId("count-old").hidden = true;
    const stop = (this.stop = new AbortController());
    const { puzzle, token, knobs } = asked;
    const order = {
      problem: puzzle.dlx.text,
      sample: DRAWN,
      frequencies: puzzle.heat !== null,
      pulse: 0.2,
      timeout: knobs.timeout,
    };
    this.#clear();
    enable(byId("count-cancel"), true);
    this.desk.say("count", "Counting has begun.");
    try {
      for await (const record of recordsOf("v1/zdd", order, token, stop.signal)) {
        this.#take(record, puzzle);
      }
    } catch (error) {
      if (!stop.signal.aborted) this.desk.complain(error, "count");
    }
    if (this.stop === stop) enable(byId("count-cancel"), false);
  }

  /** There is another problem. */
  leave() {
    this.#cancel();
    this.desk.outdate("count");
  }

  #cancel() {
    if (!this.stop || byId("count-cancel").getAttribute("aria-disabled") === "true") return;
    this.stop.abort();
    enable(byId("count-cancel"), false);
    this.desk.say("count", "Counting was cancelled.");
  }

  #clear() {
    for (const name of ["total", "diagram", "visited"]) byId(`count-${name}`).textContent = "–";
    byId("heat").replaceChildren();
    byId("drawn").replaceChildren();
    this.drawn = new Set();
    byId("count-found").hidden = true;
  }

  #take(record, puzzle) {
    if (record.type === "pulse") {
      byId("count-visited").textContent = number.format(record.nodes);
    } else if (record.type === "cover") {
      const same = String(record.options.toSorted((a, b) => a - b));
      if (this.drawn.has(same)) return;
      this.drawn.add(same);
      const label = `A cover drawn at random: ${puzzle.tell(record)}`;
      byId("drawn").append(framed("", puzzle.draw(record, label)));
    } else if (record.type === "end") {
      this.#end(record, puzzle);
    }
  }

  #end(end, puzzle) {
    if (end.count === undefined) {
      this.desk.say("count", `Counting ${outcomeOf(end)}.`);
      return;
    }
    const total = number.format(BigInt(end.count));
    byId("count-total").textContent = total;
    byId("count-diagram").textContent = number.format(end.diagram_nodes);
    byId("count-visited").textContent = number.format(end.stats.nodes);
    byId("count-found").hidden = end.count === "0";
    if (end.shares && end.count !== "0") {
      byId("heat").append(
        ...puzzle.heat(end.shares).map(({ title, drawing }) => framed(title, drawing)),
      );
    }
    byId("heat-part").hidden = !byId("heat").children.length;
    size(byId("heat"), true);
    size(byId("drawn"), true);
    this.desk.say("count", end.count === "1" ? "There is one cover." : `There are ${total} covers.`);
  }
}
