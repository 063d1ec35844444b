// The page: a problem, and three things to do with it.

import { Counting } from "./counting.js";
import { Dancing } from "./dancing.js";
import { Desk } from "./desk.js";
import { byId } from "./dom.js";
import { Solving } from "./solving.js";
import { tabs } from "./tabs.js";

// Who wants less to move gets a board a second, and slow steps, unless they choose.
if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
  for (const name of ["pace", "dance-speed"]) byId(name).selectedIndex = 0;
}

let panels = [];
const desk = new Desk(() => panels.forEach((panel) => panel.leave()));
panels = [new Solving(desk), new Counting(desk), new Dancing(desk)];
tabs(byId("tabs"));
