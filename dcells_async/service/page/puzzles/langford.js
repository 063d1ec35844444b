// Langford's pairs: between the two k's stand k other numbers.

import { picture, svg } from "../dom.js";
import { Writer } from "../dlx.js";
import { numberField } from "../fields.js";
import { percent } from "../numbers.js";

export const langford = {
  key: "langford",
  title: "Langford pairs",
  about:
    "Each number from 1 to n twice in a row of 2n places, with k numbers between the " +
    "two k’s. It can be done if n or n + 1 is a multiple of 4.",
  form(root, changed) {
    const size = numberField(root, { label: "Pairs", value: 7, min: 1, max: 20, changed });
    return () => puzzle(size());
  },
};

function puzzle(n) {
  const numbers = [...Array(n).keys()].map((k) => k + 1);
  const places = [...Array(2 * n).keys()].map((k) => k + 1);
  const dlx = new Writer([...numbers.map(String), ...places.map((place) => `s${place}`)]);
  for (const k of numbers) {
    for (let place = 1; place + k + 1 <= 2 * n; place++) {
      const other = place + k + 1;
      dlx.add([String(k), `s${place}`, `s${other}`], { k, place, other });
    }
  }
  const row = (cover) => {
    const found = [];
    for (const { k, place, other } of dlx.meaningsOf(cover)) {
      found[place - 1] = found[other - 1] = k;
    }
    return found;
  };
  return {
    dlx,
    draw: (cover, label) => arcs(n, dlx.meaningsOf(cover), row(cover), label),
    tell: (cover) => row(cover).join(" "),
    heat: (shares) => [
      {
        title: "How often each number stands at each place",
        drawing: shading(n, dlx.meanings, shares),
      },
    ],
  };
}

function arcs(n, pairs, row, label) {
  const height = 5 * (n + 1) + 2;
  const lines = pairs.map(({ k, place, other }) =>
    svg("path", {
      d: `M${10 * place - 5} ${height}A${5 * (k + 1)} ${5 * (k + 1)} 0 0 1 ${10 * other - 5} ${height}`,
      class: `arc tint-${(k - 1) % 12}`,
    }),
  );
  const numbers = row.map((k, at) =>
    svg("text", { x: 10 * at + 5, y: height + 8, class: "figure" }, String(k)),
  );
  return picture(20 * n, height + 11, label, ...lines, ...numbers);
}

function shading(n, meanings, shares) {
  const most = Math.max(...shares, 1e-9);
  const marks = meanings.flatMap(({ k, place, other }, at) =>
    [place, other].map((column) => ({ k, column, share: shares[at] })),
  );
  const sums = new Map();
  for (const { k, column, share } of marks) {
    const key = `${k} ${column}`;
    sums.set(key, (sums.get(key) ?? 0) + share);
  }
  const cells = [...sums].map(([key, share]) => {
    const [k, column] = key.split(" ").map(Number);
    return svg(
      "rect",
      {
        x: 10 * column,
        y: 10 * (k - 1),
        width: 10,
        height: 10,
        class: "heat",
        "fill-opacity": Math.min(1, share / most),
      },
      svg("title", {}, `${k} at ${column}: ${percent(share, 2)}`),
    );
  });
  const labels = [...Array(n).keys()].map((k) =>
    svg("text", { x: 5, y: 10 * k + 8, class: "figure" }, String(k + 1)),
  );
  return picture(20 * n + 10, 10 * n, "Frequencies of numbers at places", ...labels, ...cells);
}
