// A picture over time: uPlot with zoom, pan, keyboard, a logarithmic axis, marks, and one range of time for all pictures.
"use strict";

// Pictures that share a range zoom and move together.
driftless.newRange = () => {
  let current = null, waiting = false;
  const members = [];
  driftless.ranges = (driftless.ranges || 0) + 1;
  return {
    key: "range " + driftless.ranges,
    join: (member) => members.push(member),
    get: () => current,
    // However often it changes between two frames, pictures are drawn once.
    set(min, max) {
      current = min === null ? null : [min, max];
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        for (const member of members) member(current);
      });
    },
  };
};
driftless.range = driftless.newRange();

// Tells a picture when it comes into sight, or near it.
driftless.whenSeen = function (picture) {
  new IntersectionObserver((entries) => {
    picture.seen = entries[entries.length - 1].isIntersecting;
    picture.refresh();
  }, {rootMargin: "400px"}).observe(picture.figure);
};

// Draws everything, seen or not: for the printer.
driftless.drawAll = function () {
  for (const picture of [...driftless.charts, ...driftless.planes]) {
    const seen = picture.seen;
    picture.seen = true;
    picture.redraw();
    picture.seen = seen;
  }
};

// The labels of a legend as switches.
driftless.legendByKeyboard = function (plot, host) {
  host.querySelectorAll(".u-legend .u-series").forEach((row, i) => {
    if (i === 0 && plot.mode === 1) return;
    const label = row.querySelector("th"), index = plot.mode === 1 ? i : i + 1;
    label.tabIndex = 0;
    label.setAttribute("role", "switch");
    const tell = () => label.setAttribute("aria-checked", String(plot.series[index].show));
    tell();
    label.addEventListener("click", () => setTimeout(tell));
    label.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      plot.setSeries(index, {show: !plot.series[index].show});
      tell();
    });
  });
};

driftless.Chart = class {
  // spec: {title, x, series: [{label, values, color, run, points, show, steps}], unit, log, logAlways, marks, note, height, full,
  // range, xLabel, logX}
  constructor(host, spec) {
    this.spec = spec;
    this.range = spec.range || driftless.range;
    this.log = Boolean(spec.log);
    this.shown = spec.series.map((series) => series.show !== false);
    this.plotHost = driftless.element("div", {class: "plot"});
    this.figure = driftless.element("figure", {
      class: "chart", tabindex: 0, role: "group",
      "aria-label": spec.title + ". Arrow keys move, plus and minus zoom, 0 shows everything.",
      onkeydown: (event) => this.key(event),
    }, this.caption(), this.plotHost, spec.note ? driftless.element("p", {class: "note"}, spec.note) : null);
    host.append(this.figure);
    this.plotHost.style.minHeight = this.height() + 30 + "px";  // with the legend, so that little moves when it is drawn
    this.full = spec.full;
    this.levels = new driftless.Levels([spec.x, ...spec.series.map((series) => series.values)]);
    this.draws = 0;
    this.range.join(() => this.refresh());
    driftless.charts.push(this);
    driftless.whenSeen(this);
    new ResizeObserver(() => this.refresh()).observe(this.plotHost);
  }

  caption() {
    const button = (text, label, action) =>
      driftless.element("button", {type: "button", "aria-label": label, title: label, onclick: action}, text);
    this.logButton = this.spec.logAlways ? null : driftless.element("button", {
      type: "button", "aria-pressed": String(this.log), class: "log", title: "logarithmic axis",
      onclick: () => this.toggleLog()}, "log");
    return driftless.element("figcaption", {}, driftless.element("span", {class: "title"}, this.spec.title),
      driftless.element("span", {class: "buttons"}, this.logButton, button("\u2212", "zoom out", () => this.zoom(2)),
        button("+", "zoom in", () => this.zoom(0.5)), button("\u2190", "move left", () => this.pan(-0.25)),
        button("\u2192", "move right", () => this.pan(0.25)),
        button("all", "show everything", () => this.range.set(null))));
  }

  width() { return Math.max(240, Math.floor(this.plotHost.clientWidth)); }
  height() { return this.spec.height || (this.width() < 600 ? 220 : 280); }
  // Only what can be seen is drawn: a page of many large pictures stays quick.
  refresh() {
    if (!this.seen) return;
    if (!this.plot || this.stale) return this.build();
    if (this.plot.width !== this.width()) this.plot.setSize({width: this.width(), height: this.height()});
    this.show(this.range.get() || this.full);
  }
  redraw() {
    this.stale = true;
    this.refresh();
  }

  build() {
    if (this.plotHost.clientWidth === 0) return;
    if (this.plot) this.plot.destroy();
    this.stale = false;
    const range = this.range.get() || this.full;
    this.plot = new uPlot(this.options(range), this.dataFor(range), this.plotHost);
    driftless.legendByKeyboard(this.plot, this.plotHost);
    this.listen(this.plot.over);
  }

  // At most four points for a pixel: as many as it takes to draw every peak.
  dataFor([min, max]) { return this.levels.between(min, max, 4 * this.width()); }

  options(range) {
    const scale = this.scale();
    return {
      width: this.width(), height: this.height(), ms: 1,
      cursor: {drag: {x: true, y: false}, bind: {dblclick: () => () => this.range.set(null)}, sync: {key: this.range.key, setSeries: false, filters: {pub: (type) => type === "mousemove" || type === "mouseleave"}}},
      scales: {x: {time: false, min: range[0], max: range[1], distr: this.spec.logX ? 3 : 1, range: (u, from, to) => [from, to]}, y: scale},
      axes: [driftless.axis(this.spec.logX, 60, {size: 36}), driftless.axis(scale.distr === 3, 26, {size: 70})],
      legend: {markers: {dash: (u, i) => (i > 0 && (u.series[i].dash || []).length ? "dashed" : "solid")}},
      series: [{label: this.spec.xLabel || "t", value: (u, x) => driftless.short(x)},
        ...this.spec.series.map((series, i) => this.series(series, this.shown[i]))],
      hooks: {
        draw: [(u) => { ++this.draws; this.drawMarks(u); }],
        setScale: [(u, key) => { if (key === "x") this.changed(u); }],
        setSeries: [(u, i) => { if (i !== null && u.series[i]) this.shown[i - 1] = u.series[i].show; }],
      },
    };
  }

  // Positive values have a logarithm; others are drawn by asinh, which is linear around 0 and logarithmic beyond.
  scale() {
    if (!this.log) return {};
    let positive = true, largest = 0;
    for (const series of this.spec.series)
      for (const y of series.values) {
        if (y === null) continue;
        if (y <= 0) positive = false;
        if (Math.abs(y) > largest) largest = Math.abs(y);
      }
    return positive ? {distr: 3} : {distr: 4, asinh: largest * 1e-4 || 1};
  }

  series(series, show) {
    const theme = driftless.theme, color = theme.color(series.color);
    const common = {label: series.label, show, stroke: color, spanGaps: true, value: (u, y) => driftless.short(y)};
    if (series.guide) return {...common, width: 1, dash: [6, 4], points: {show: false}};
    if (series.points) return {...common, width: 1.6, paths: driftless.pointPaths(series.points === "full"), points: {show: false}};
    return {...common, width: 1.6, dash: theme.dash(series.color, series.run || 0),
      paths: driftless.linePaths(series.steps),
      points: {show: this.spec.x.length < 60, size: 4, fill: color}};
  }

  toggleLog() {
    this.log = !this.log;
    this.logButton.setAttribute("aria-pressed", String(this.log));
    this.build();
  }

  show(range) {
    const scale = this.plot.scales.x;
    if (scale.min === range[0] && scale.max === range[1]) return;
    const data = this.dataFor(range);
    this.plot.batch(() => {
      if (data !== this.plot.data) this.plot.setData(data, false);
      this.plot.setScale("x", {min: range[0], max: range[1]});
    });
  }
  // The range changed by dragging: the others follow. A double click asks for everything.
  changed(u) {
    const {min, max} = u.scales.x;
    if (min === null || min === undefined) return;
    const range = this.range.get() || this.full;
    if (Math.abs(min - range[0]) <= 1e-12 * Math.abs(min) && Math.abs(max - range[1]) <= 1e-12 * Math.abs(max)) return;
    queueMicrotask(() => (min <= this.full[0] && max >= this.full[1] ? this.range.set(null) : this.range.set(min, max)));
  }
  // Zoom and pan happen on the axis as it is drawn, logarithmic or not.
  onAxis(x) { return this.spec.logX ? Math.log(x) : x; }
  offAxis(x) { return this.spec.logX ? Math.exp(x) : x; }
  zoom(factor, center = 0.5) {
    const [min, max] = (this.range.get() || this.full).map((x) => this.onAxis(x)), middle = min + center * (max - min);
    const range = [middle - center * (max - min) * factor, middle + (1 - center) * (max - min) * factor].map((x) => this.offAxis(x));
    if (range[0] <= this.full[0] && range[1] >= this.full[1]) this.range.set(null);
    else if (range[1] - range[0] > 1e-12 * (this.full[1] - this.full[0])) this.range.set(range[0], range[1]);
  }
  pan(share) {
    const [min, max] = (this.range.get() || this.full).map((x) => this.onAxis(x)), by = share * (max - min);
    this.range.set(this.offAxis(min + by), this.offAxis(max + by));
  }

  key(event) {
    const action = {ArrowLeft: () => this.pan(-0.1), ArrowRight: () => this.pan(0.1), "+": () => this.zoom(0.7),
      "=": () => this.zoom(0.7), "-": () => this.zoom(1 / 0.7), 0: () => this.range.set(null),
      Home: () => this.range.set(null), l: () => this.logButton && this.toggleLog()}[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  }

  // Shift and drag moves; the wheel with Ctrl zooms where the pointer is.
  listen(over) {
    over.addEventListener("mousedown", (event) => {
      if (!event.shiftKey) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      const [min, max] = (this.range.get() || this.full).map((x) => this.onAxis(x)), from = event.clientX, width = over.clientWidth;
      const move = (e) => {
        const by = (from - e.clientX) / width * (max - min);
        this.range.set(this.offAxis(min + by), this.offAxis(max + by));
      };
      const end = () => {
        window.removeEventListener("mousemove", move);
        window.removeEventListener("mouseup", end);
      };
      window.addEventListener("mousemove", move);
      window.addEventListener("mouseup", end);
    }, {capture: true});
    over.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const box = over.getBoundingClientRect();
      this.zoom(event.deltaY < 0 ? 0.8 : 1.25, (event.clientX - box.left) / box.width);
    }, {passive: false});
  }

  // Events, and changes of the method: vertical lines.
  drawMarks(u) {
    const {ctx, bbox} = u;
    ctx.save();
    ctx.strokeStyle = driftless.theme.css("--mark");
    ctx.lineWidth = devicePixelRatio;
    for (const mark of this.spec.marks || []) {
      const x = Math.round(u.valToPos(mark.t, "x", true)) + 0.5;
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.setLineDash(mark.kind === "event" ? [4 * devicePixelRatio, 4 * devicePixelRatio] : []);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  }
};

driftless.theme.onChange(() => { for (const chart of driftless.charts) chart.redraw(); });
