// The phase portrait: one result over another, by uPlot's mode for scattered data, with the points joined in time.
"use strict";

driftless.Phase = class {
  constructor(host, runs) {
    this.runs = runs;
    this.names = runs[0].columns.map((column) => column.name).filter((name) => runs.every((run) => run.table.by[name]));
    const pair = this.firstPair();
    this.across = this.select(pair[0]);
    this.up = this.select(pair[1]);
    this.plotHost = driftless.element("div", {class: "plot phase"});
    this.figure = driftless.element("figure", {class: "chart", role: "group", "aria-label": "Phase portrait"},
      driftless.element("figcaption", {}, driftless.element("span", {class: "title"}, "Phase portrait"),
        driftless.element("span", {class: "buttons"}, driftless.element("label", {}, "across ", this.across),
          driftless.element("label", {}, "up ", this.up),
          driftless.element("button", {type: "button", title: "show everything", onclick: () => this.build()}, "all"))),
      this.plotHost, driftless.element("p", {class: "note"}, "Drag to zoom. The circle is the start, the square the end."));
    host.append(this.figure);
    driftless.phase = this;
    driftless.theme.onChange(() => this.redraw());
    driftless.whenSeen(this);
    new ResizeObserver(() => this.refresh()).observe(this.plotHost);
  }

  refresh() { if (this.seen && (!this.plot || this.stale || this.plot.width !== this.width())) this.build(); }
  redraw() {
    this.stale = true;
    this.refresh();
  }

  // A position and its velocity, if the groups tell; otherwise the first two results.
  firstPair() {
    const of = (...groups) => this.runs[0].columns.filter((column) => groups.includes(column.group)).map((column) => column.name);
    const positions = of("position", "q", "u"), velocities = of("velocity", "v");
    if (positions.length && velocities.length) return [positions[0], velocities[0]];
    const names = this.names.slice(1);
    return names.length > 1 ? [names[0], names[1]] : [this.names[0], names[0] || this.names[0]];
  }

  select(value) {
    const select = driftless.element("select", {onchange: () => this.build()},
      this.names.map((name) => driftless.element("option", {value: name, selected: name === value}, name)));
    return select;
  }

  width() { return Math.max(240, Math.floor(this.plotHost.clientWidth)); }

  build() {
    if (this.plotHost.clientWidth === 0) return;
    if (this.plot) this.plot.destroy();
    this.stale = false;
    const theme = driftless.theme, ink = theme.css("--ink"), faint = theme.css("--line");
    const axis = {stroke: ink, grid: {stroke: faint, width: 1}, ticks: {stroke: faint, width: 1}, font: "12px system-ui, sans-serif",
      values: (u, values) => values.map((x) => (x === null ? null : driftless.tick(x)))};
    const data = this.runs.map((run) => [driftless.withGaps(run.table.by[this.across.value]), driftless.withGaps(run.table.by[this.up.value])]);
    this.plot = new uPlot({
      mode: 2, width: this.width(), height: Math.min(420, Math.max(260, Math.round(this.width() * 0.6))),
      legend: {live: false, show: this.runs.length > 1},
      cursor: {drag: {x: true, y: true, uni: 20}, points: {show: false}},
      scales: {x: {time: false, auto: true, range: (u, min, max) => this.padded(min, max)}, y: {auto: true, range: (u, min, max) => this.padded(min, max)}},
      axes: [{...axis, size: 50, label: this.across.value, labelSize: 18}, {...axis, size: 70, label: this.up.value, labelSize: 18}],
      series: [{}, ...this.runs.map((run, r) => ({label: run.label || "run", stroke: theme.color(r), width: 1.4,
        facets: [{scale: "x", auto: true}, {scale: "y", auto: true}], paths: (u, i) => this.draw(u, i, theme.color(r), theme.dash(r, r))}))],
    }, [null, ...data], this.plotHost);
  }

  padded(min, max) {
    if (min === null || max === null) return [0, 1];
    const by = 0.04 * (max - min) || Math.abs(max) || 1;
    return [min - by, max + by];
  }

  draw(u, index, color, dash) {
    const [xs, ys] = u.data[index], {ctx, bbox} = u, ratio = devicePixelRatio;
    const at = (i) => [u.valToPos(xs[i], "x", true), u.valToPos(ys[i], "y", true)];
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.strokeStyle = ctx.fillStyle = color;
    ctx.lineWidth = 1.4 * ratio;
    ctx.setLineDash(dash.map((d) => d * ratio));
    ctx.beginPath();
    let pen = false;
    for (let i = 0; i < xs.length; ++i) {
      if (xs[i] === null || ys[i] === null) { pen = false; continue; }
      const [x, y] = at(i);
      if (pen) ctx.lineTo(x, y); else ctx.moveTo(x, y);
      pen = true;
    }
    ctx.stroke();
    const [x0, y0] = at(0), [x1, y1] = at(xs.length - 1), size = 5 * ratio;
    ctx.setLineDash([]);
    ctx.beginPath();
    ctx.arc(x0, y0, size, 0, 2 * Math.PI);
    ctx.stroke();
    ctx.fillRect(x1 - size, y1 - size, 2 * size, 2 * size);
    ctx.restore();
    return null;
  }
};
