// The phase portrait: one result over another, with the points joined in time.
"use strict";

driftless.Phase = class extends driftless.Plane {
  // runs: [{label, columns: [{name, group}], table: {by}}]; options: {title, note, points: not joined, wide: begin
  // with coordinates that are not constant}
  constructor(host, runs, options = {}) {
    const names = runs[0].columns.map((column) => column.name).filter((name) => runs.every((run) => run.table.by[name]));
    const select = (value) => driftless.element("select", {onchange: () => this.chosen()},
      names.map((name) => driftless.element("option", {value: name, selected: name === value}, name)));
    const pair = options.wide ? driftless.Phase.widePair(runs, names) : driftless.Phase.firstPair(runs[0].columns, names), across = select(pair[0]), up = select(pair[1]);
    const most = Math.max(...runs.map((run) => run.table.rows || 0)), many = most > driftless.mostJoined && !options.points;
    super(host, {title: options.title || "Phase portrait",
      note: (options.note || "Drag to zoom. The circle is the start, the square the end.") + (many ? " So many points are not joined." : "")},
    [driftless.element("label", {}, "across ", across), driftless.element("label", {}, "up ", up)]);
    Object.assign(this, {runs, across, up, points: options.points});
    if (!options.points) driftless.phase = this;
  }

  // A position and its velocity, if the groups tell; otherwise the first two results.
  static firstPair(columns, all) {
    const of = (...groups) => columns.filter((column) => groups.includes(column.group)).map((column) => column.name);
    const positions = of("position", "q", "u"), velocities = of("velocity", "v");
    if (positions.length && velocities.length) return [positions[0], velocities[0]];
    const names = all.slice(columns[0].name === "time" ? 1 : 0);
    return names.length > 1 ? [names[0], names[1]] : [all[0], names[0] || all[0]];
  }

  // The first two coordinates that are not the same everywhere.
  static widePair(runs, names) {
    const wide = names.filter((name) => {
      let low = Infinity, high = -Infinity;
      for (const run of runs) for (const x of run.table.by[name]) { low = Math.min(low, x); high = Math.max(high, x); }
      return high - low > 1e-9 * Math.max(1, Math.abs(low), Math.abs(high));
    });
    const order = [...wide, ...names.filter((name) => !wide.includes(name))];
    return [order[0], order[1] || order[0]];
  }

  labels() { return [this.across.value, this.up.value]; }
  chosen() {
    this.view = null;
    this.build();
  }
  curves() {
    return this.runs.map((run, r) => ({label: run.label || "run", color: r, run: this.points ? 0 : r, shape: r, style: this.points ? "points" : "line",
      x: driftless.withGaps(run.table.by[this.across.value]), y: driftless.withGaps(run.table.by[this.up.value])}));
  }

  finish(ctx, at, curve) {
    if (this.points) return;
    const [x0, y0] = at(0), [x1, y1] = at(curve.x.length - 1), size = 5 * devicePixelRatio;
    ctx.beginPath();
    ctx.arc(x0, y0, size, 0, 2 * Math.PI);
    ctx.stroke();
    ctx.fillRect(x1 - size, y1 - size, 2 * size, 2 * size);
  }
};
