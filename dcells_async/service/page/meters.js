// What a search tells of itself while it runs: nodes, nodes a second, how far it is.

import { byId } from "./dom.js";
import { number, percent } from "./numbers.js";

const STILL = "0, stands still";

export class Meters {
  clear() {
    this.last = null;
    for (const name of ["covers", "nodes", "rate", "elapsed"]) this.#show(name, "–");
    this.#progress(0);
  }

  covers(count) {
    this.#show("covers", number.format(count));
  }

  /** Take the numbers of a pulse, or of the end. */
  pulse({ nodes, elapsed, fraction }) {
    const last = this.last;
    this.last = { nodes, elapsed };
    this.#show("nodes", number.format(nodes));
    this.#show("elapsed", `${elapsed.toFixed(1)} s`);
    this.#progress(fraction);
    if (last && elapsed > last.elapsed) {
      const rate = (nodes - last.nodes) / (elapsed - last.elapsed);
      this.#show("rate", rate ? number.format(Math.round(rate)) : STILL);
    }
  }

  /** The search is over: how fast it was on the whole. */
  end(stats) {
    this.pulse(stats);
    this.#show("rate", "–");
  }

  #show(name, text) {
    byId(`solve-${name}`).textContent = text;
  }

  #progress(fraction) {
    const bar = byId("solve-progress");
    bar.value = fraction;
    const isSmall = fraction > 0 && fraction < 0.01;
    bar.nextElementSibling.textContent = percent(fraction, isSmall ? 3 : 1);
  }
}
