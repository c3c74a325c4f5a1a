// Several tables over time on one axis: uPlot wants one array of times for all lines of a picture.
"use strict";

// tables: [{x, ys: [values, ...]}, ...] with ascending times, which may repeat (before and after a jump).
// Returns [times, ys of the first, ys of the second, ...], null where a table has no row.
driftless.align = function (tables) {
  const first = tables[0].x;
  if (tables.every((table) => table.x === first)) return [first, ...tables.flatMap((table) => table.ys)];
  const at = tables.map(() => 0);
  const rows = tables.map(() => []);
  const times = [];
  for (;;) {
    let next = Infinity;
    tables.forEach((table, k) => { if (at[k] < table.x.length && table.x[at[k]] < next) next = table.x[at[k]]; });
    if (next === Infinity) break;
    const counts = tables.map((table, k) => {
      let n = 0;
      while (at[k] + n < table.x.length && table.x[at[k] + n] === next) ++n;
      return n;
    });
    const most = Math.max(...counts);
    for (let i = 0; i < most; ++i) {
      times.push(next);
      tables.forEach((table, k) => rows[k].push(i < counts[k] ? at[k] + i : -1));
    }
    tables.forEach((table, k) => { at[k] += counts[k]; });
  }
  const values = tables.flatMap((table, k) => table.ys.map((y) => rows[k].map((row) => (row < 0 ? null : y[row]))));
  return [times, ...values];
};
