// Axes: as many ticks as there is room for, on logarithmic ones round numbers.
"use strict";

// Powers of ten; or every second, third, ... of them; or round numbers between them: as many as fit.
driftless.logSplits = function (min, max, most) {
  const low = Math.log10(min), high = Math.log10(max);
  const between = (digits, every = 1) => {
    const splits = [];
    for (let k = Math.floor(low / every) * every; k <= high; k += every)
      for (const digit of digits) {
        const x = Number(digit + "e" + k);
        if (x >= min * (1 - 1e-9) && x <= max * (1 + 1e-9)) splits.push(x);
      }
    return splits;
  };
  for (const digits of [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 5], [1]]) {
    const splits = between(digits);
    if (splits.length <= most && (splits.length > 1 || digits.length === 9)) return splits;
  }
  for (let every = 2; ; ++every) {
    const splits = between([1], every);
    if (splits.length <= most) return splits;
  }
};

// An axis of uPlot; room: pixels for one label.
driftless.axis = function (log, room, extra) {
  const theme = driftless.theme, ink = theme.css("--ink"), faint = theme.css("--line");
  const common = {stroke: ink, grid: {stroke: faint, width: 1}, ticks: {stroke: faint, width: 1}, font: "12px system-ui, sans-serif", space: room,
    values: (u, values) => values.map((x) => (x === null ? null : driftless.tick(x))), ...extra};
  if (!log) return common;
  const all = (u, splits) => splits;
  const length = (u, i) => (i === 0 ? u.bbox.width : u.bbox.height) / devicePixelRatio;
  return {...common, filter: all, grid: {...common.grid, filter: all}, ticks: {...common.ticks, filter: all},
    splits: (u, i, min, max) => driftless.logSplits(min, max, Math.max(2, Math.floor(length(u, i) / room)))};
};
