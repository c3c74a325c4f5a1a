// The pictures of a run, or of several: results, residuals of the constraints, steps.
"use strict";

driftless.pictures = (() => {
  const {element, align, withGaps} = driftless;
  const floor = 1e-17;  // where a residual of exactly 0 is drawn on a logarithmic axis
  const causes = ["rejected: error", "rejected: Newton", "rejected: projection"];
  const titles = {position: "Positions", velocity: "Velocities", multiplier: "Multipliers", state: "States", algebraic: "Algebraic variables",
    alias: "Aliases", computed: "Computed variables", discrete: "Discrete variables", constant: "Constants", input: "Inputs",
    q: "Positions q", u: "u", v: "Velocities v", s: "s", x: "x", lambda: "Multipliers lambda"};

  const name = (text, label) => (label ? text + " (" + label + ")" : text);
  const thinned = (tables, what) => {
    const less = tables.filter((table) => table.rows < table.total);
    if (!less.length) return null;
    return "Shown: " + less.map((table) => `${table.rows.toLocaleString("en")} of ${table.total.toLocaleString("en")} ${what}`).join("; ") +
      ". Least and largest values of every stretch are among them; zooming shows what is in this file.";
  };

  // Events and changes of the method of all runs.
  const marks = (runs) => runs.flatMap((run) => [...run.events.map((event) => ({t: event.t, kind: "event"})),
    ...run.changes.map((change) => ({t: change.t, kind: "change"}))]);
  const full = (runs) => {
    const from = Math.min(...runs.map((run) => run.table.columns[0][0]));
    const to = Math.max(...runs.map((run) => run.table.columns[0][run.table.rows - 1]));
    return from < to ? [from, to] : [from - 0.5, to + 0.5];
  };

  function groups(runs) {
    const order = [];
    runs.forEach((run) => run.columns.slice(1).forEach((column) => {
      const key = column.group || "result";
      let group = order.find((one) => one.key === key);
      if (!group) order.push(group = {key, names: [], units: new Set()});
      if (!group.names.includes(column.name)) group.names.push(column.name);
      if (column.unit) group.units.add(column.unit);
    }));
    return order;
  }

  function results(host, runs) {
    const most = runs.length > 1 ? 2 : 7;
    for (const group of groups(runs)) {
      const series = [];
      const data = align(runs.map((run, r) => {
        const there = group.names.filter((n) => run.table.by[n]);
        for (const n of there) {
          const i = group.names.indexOf(n);
          series.push({label: name(n, run.label), color: i + r * Math.min(most, group.names.length), run: r, show: i < most});
        }
        return {x: run.table.columns[0], ys: there.map((n) => withGaps(run.table.by[n]))};
      }));
      series.forEach((one, i) => { one.values = data[i + 1]; });
      const unit = group.units.size === 1 ? " in " + [...group.units][0] : "";
      const hidden = group.names.length > most ? `The legend switches lines on and off; ${most} of ${group.names.length} are on. ` : "";
      new driftless.Chart(host, {title: (titles[group.key] || group.key) + unit, x: data[0], series, marks: marks(runs), full: full(runs),
        note: (hidden + (thinned(runs.map((run) => run.table), "rows") || "")) || null});
    }
  }

  function residuals(host, runs) {
    const words = [["g", "g, the constraint"], ["g_1", "Dg f, its first derivative"], ["g_2", "the hidden one, its second derivative"]];
    const series = [];
    const data = align(runs.map((run, r) => {
      const there = words.filter(([key]) => run.stepTable.by[key]);
      there.forEach(([key, text]) => series.push({label: name(text, run.label), color: words.findIndex(([k]) => k === key) + r * words.length, run: r}));
      return {x: run.stepTable.by.time, ys: there.map(([key]) =>
        Array.from(run.stepTable.by[key], (y) => (Number.isFinite(y) ? Math.max(y, floor) : null)))};
    }));
    series.forEach((one, i) => { one.values = data[i + 1]; });
    if (!series.length || !data[0].length) return false;
    new driftless.Chart(host, {title: "Residuals of the constraints, max norm", x: data[0], series, log: true, logAlways: true, height: 300,
      marks: marks(runs), full: full(runs),
      note: "A residual of exactly 0 is drawn at 1e-17. " + (thinned(runs.map((run) => run.stepTable), "steps") || "")});
    return true;
  }

  function stepPicture(host, runs, key, title, options) {
    const series = [];
    const tables = runs.map((run, r) => {
      series.push({label: name(title.toLowerCase(), run.label), color: r, run: r, steps: true});
      return {x: run.stepTable.by.time, ys: [run.stepTable.by[key]]};
    });
    if (options.rejected) runs.forEach((run) => causes.forEach((cause, c) => {
      const {time, h, cause: why} = run.rejected.by;
      const at = [];
      why.forEach((w, i) => { if (w === c) at.push(i); });
      if (!at.length) return;
      series.push({label: name(cause, run.label), color: 1 + c, points: c === 0 ? "full" : "open"});
      tables.push({x: at.map((i) => time[i]), ys: [at.map((i) => h[i])]});
    }));
    const data = align(tables);
    series.forEach((one, i) => { one.values = data[i + 1]; });
    new driftless.Chart(host, {title, x: data[0], series, log: options.log, marks: marks(runs), full: full(runs), height: options.height,
      note: [options.note, thinned(runs.map((run) => run.stepTable), "steps")].filter(Boolean).join(" ") || null});
  }

  function steps(host, runs) {
    if (!runs.some((run) => run.stepTable.rows > 0)) return false;
    const events = runs.some((run) => run.events.length), changes = runs.some((run) => run.changes.length);
    const note = [events ? "Dashed vertical lines are events." : "", changes ? "Solid vertical lines are changes of the method." : ""]
      .filter(Boolean).join(" ");
    stepPicture(host, runs, "h", "Step size", {log: true, rejected: true, note});
    stepPicture(host, runs, "order", "Order of the method", {height: 180});
    if (runs.some((run) => run.stepTable.by.newton.some((n) => n > 0)))
      stepPicture(host, runs, "newton", "Newton iterations per step", {height: 180});
    host.append(element("div", {class: "lists"}, runs.map((run) => run.changes.length ? element("ul", {},
      run.changes.slice(0, 20).map((change) => element("li", {}, `t = ${driftless.short(change.t)}: to ${change.to}, ${change.why}`))) : null)));
    return true;
  }

  return {results, residuals, steps, full};
})();
