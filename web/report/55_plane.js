// Curves and points in a plane, in any order of x: uPlot's mode for scattered data, with zoom, keyboard, logarithmic axes, and
// the point nearest to the pointer in words.
"use strict";

driftless.mostJoined = 8000;  // points of a curve; a line along more of them is slow, and as a picture it is a blot

driftless.Plane = class {
  // spec: {title, xLabel, yLabel, logX, logY, height, note, curves: [{label, x, y, style: line|points|guide, color, shape, show, names}]}; names: what
  // the nearest point is called, one for each point. `controls` stand beside the title.
  constructor(host, spec, controls = []) {
    this.spec = spec;
    this.shown = spec.curves ? spec.curves.map((curve) => curve.show !== false) : null;
    this.plotHost = driftless.element("div", {class: "plot plane"});
    this.nearest = driftless.element("output", {class: "note nearest"}, "\u00a0");
    const button = (text, label, action) =>
      driftless.element("button", {type: "button", "aria-label": label, title: label, onclick: action}, text);
    this.figure = driftless.element("figure", {class: "chart", tabindex: 0, role: "group",
      "aria-label": spec.title + ". Arrow keys move, plus and minus zoom, 0 shows everything.", onkeydown: (event) => this.key(event)},
    driftless.element("figcaption", {}, driftless.element("span", {class: "title"}, spec.title),
      driftless.element("span", {class: "buttons"}, controls, button("\u2212", "zoom out", () => this.zoom(2)),
        button("+", "zoom in", () => this.zoom(0.5)), button("all", "show everything", () => this.showAll()))),
    this.plotHost, this.nearest, spec.note ? driftless.element("p", {class: "note"}, spec.note) : null);
    host.append(this.figure);
    this.plotHost.style.minHeight = this.height() + "px";
    driftless.planes.push(this);
    driftless.theme.onChange(() => this.redraw());
    driftless.whenSeen(this);
    new ResizeObserver(() => this.refresh()).observe(this.plotHost);
  }

  curves() { return this.spec.curves; }
  labels() { return [this.spec.xLabel, this.spec.yLabel]; }
  width() { return Math.max(240, Math.floor(this.plotHost.clientWidth)); }
  height() { return this.spec.height || Math.min(420, Math.max(260, Math.round(this.width() * 0.6))); }
  refresh() { if (this.seen && (!this.plot || this.stale || this.plot.width !== this.width())) this.build(); }
  redraw() {
    this.stale = true;
    this.refresh();
  }

  // On the axis as it is drawn, logarithmic or not.
  onAxis(x, log) { return log ? Math.log10(x) : x; }
  offAxis(x, log) { return log ? 10 ** x : x; }
  everything() {
    return [["x", this.spec.logX], ["y", this.spec.logY]].map(([key, log]) => {
      let low = Infinity, high = -Infinity;
      this.drawn.forEach((curve, i) => {
        if (!this.shown[i]) return;
        for (const x of curve[key]) if (x !== null && (!log || x > 0)) { low = Math.min(low, x); high = Math.max(high, x); }
      });
      if (low > high) return log ? [0.1, 10] : [0, 1];
      [low, high] = [this.onAxis(low, log), this.onAxis(high, log)];
      const by = 0.04 * (high - low) || (log ? 0.5 : Math.abs(high) || 1);
      return [this.offAxis(low - by, log), this.offAxis(high + by, log)];
    });
  }
  show(view) {
    this.view = view;
    this.plot.batch(() => {
      this.plot.setScale("x", {min: view[0][0], max: view[0][1]});
      this.plot.setScale("y", {min: view[1][0], max: view[1][1]});
    });
  }
  showAll() { this.show(this.everything()); }
  zoom(factor) {
    this.changeView(([min, max]) => [(min + max) / 2 - (max - min) / 2 * factor, (min + max) / 2 + (max - min) / 2 * factor]);
  }
  changeView(change) {
    this.show(this.view.map((range, axis) => {
      const log = axis === 0 ? this.spec.logX : this.spec.logY;
      return change(range.map((x) => this.onAxis(x, log)), axis).map((x) => this.offAxis(x, log));
    }));
  }
  key(event) {
    const move = (which, by) => () => this.changeView(([min, max], axis) => (axis === which ? [min + by * (max - min), max + by * (max - min)] : [min, max]));
    const action = {ArrowLeft: move(0, -0.1), ArrowRight: move(0, 0.1), ArrowUp: move(1, 0.1), ArrowDown: move(1, -0.1), "+": () => this.zoom(0.7),
      "=": () => this.zoom(0.7), "-": () => this.zoom(1 / 0.7), 0: () => this.showAll(), Home: () => this.showAll()}[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
    event.preventDefault();
    action();
  }

  build() {
    if (this.plotHost.clientWidth === 0) return;
    if (this.plot) this.plot.destroy();
    this.stale = false;
    this.drawn = this.curves();
    if (!this.shown || this.shown.length !== this.drawn.length) this.shown = this.drawn.map(() => true);
    if (!this.view) this.view = this.everything();
    this.plot = new uPlot(this.options(), [null, ...this.drawn.map((curve) => [curve.x, curve.y])], this.plotHost);
    driftless.legendByKeyboard(this.plot, this.plotHost);
  }

  options() {
    const theme = driftless.theme, [across, up] = this.labels();
    const scale = (i, log) => ({time: false, auto: true, distr: log ? 3 : 1, range: () => this.view[i]});
    return {
      mode: 2, width: this.width(), height: this.height(),
      legend: {live: false, show: this.drawn.length > 1, markers: {dash: (u, i) => (i > 0 && this.drawn[i - 1].style === "guide" ? "dashed" : "solid")}},
      cursor: {drag: {x: true, y: true, uni: 20, setScale: false}, points: {show: false}, bind: {dblclick: () => () => this.showAll()}},
      scales: {x: scale(0, this.spec.logX), y: scale(1, this.spec.logY)},
      axes: [driftless.axis(this.spec.logX, 75, {size: 50, label: across, labelSize: 18}), driftless.axis(this.spec.logY, 26, {size: 70, label: up, labelSize: 18})],
      series: [{}, ...this.drawn.map((curve, i) => ({label: curve.label, show: this.shown[i], stroke: theme.color(curve.color), width: 1.4,
        facets: [{scale: "x", auto: true}, {scale: "y", auto: true}], paths: (u, index) => this.draw(u, index, curve)}))],
      hooks: {
        setSelect: [(u) => this.selected(u)],
        setSeries: [(u, i) => { if (i !== null && u.series[i]) this.shown[i - 1] = u.series[i].show; }],
        setCursor: [(u) => this.tellNearest(u)],
      },
    };
  }

  selected(u) {
    const {left, top, width, height} = u.select;
    if (width < 4 && height < 4) return;
    const x = width < 4 ? this.view[0] : [u.posToVal(left, "x"), u.posToVal(left + width, "x")];
    const y = height < 4 ? this.view[1] : [u.posToVal(top + height, "y"), u.posToVal(top, "y")];
    u.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
    this.show([x, y]);
  }

  tellNearest(u) {
    const {left, top} = u.cursor;
    if (left === undefined || left < 0 || this.drawn.reduce((n, curve) => n + curve.x.length, 0) > 20000) return;
    let best = 30 ** 2, found = null;
    this.drawn.forEach((curve, c) => {
      if (!u.series[c + 1].show || curve.style === "guide") return;
      for (let i = 0; i < curve.x.length; ++i) {
        if (curve.x[i] === null || curve.y[i] === null) continue;
        const d = (u.valToPos(curve.x[i], "x") - left) ** 2 + (u.valToPos(curve.y[i], "y") - top) ** 2;
        if (d < best) [best, found] = [d, [curve, i]];
      }
    });
    const [across, up] = this.labels();
    this.nearest.textContent = found ? [found[0].label, found[0].names ? found[0].names[found[1]] : null,
      `${across} ${driftless.short(found[0].x[found[1]])}`, `${up} ${driftless.short(found[0].y[found[1]])}`].filter(Boolean).join(", ") : "\u00a0";
  }

  draw(u, index, curve) {
    const {ctx, bbox} = u, ratio = devicePixelRatio, theme = driftless.theme, color = theme.color(curve.color);
    const at = (i) => [u.valToPos(curve.x[i], "x", true), u.valToPos(curve.y[i], "y", true)];
    const there = (i) => curve.x[i] !== null && curve.y[i] !== null && (!this.spec.logX || curve.x[i] > 0) && (!this.spec.logY || curve.y[i] > 0);
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.strokeStyle = ctx.fillStyle = color;
    ctx.lineWidth = (curve.style === "guide" ? 1 : 1.4) * ratio;
    ctx.setLineDash((curve.style === "guide" ? [6, 4] : theme.dash(curve.color, curve.run || 0)).map((d) => d * ratio));
    const many = curve.x.length > driftless.mostJoined;
    if (curve.style !== "points" && !many) {
      ctx.beginPath();
      let pen = false;
      for (let i = 0; i < curve.x.length; ++i) {
        if (!there(i)) { pen = false; continue; }
        const [x, y] = at(i);
        if (pen) ctx.lineTo(x, y); else ctx.moveTo(x, y);
        pen = true;
      }
      ctx.stroke();
    }
    ctx.setLineDash([]);
    if (many || (curve.style === "points" && curve.x.length > 500)) this.dots(ctx, bbox, curve.x.length, there, at, ratio);
    else if (curve.style === "points" || (curve.style !== "guide" && curve.x.length < 60))
      for (let i = 0; i < curve.x.length; ++i) if (there(i)) this.mark(ctx, at(i), curve.shape || 0, 3.2 * ratio);
    this.finish(ctx, at, curve);
    ctx.restore();
    return null;
  }
  finish() {}

  // Many points: one dot for each pixel that has any.
  dots(ctx, bbox, count, there, at, ratio) {
    const width = Math.ceil(bbox.width / ratio) + 1, height = Math.ceil(bbox.height / ratio) + 1, inked = new Uint8Array(width * height);
    this.dotCount = 0;
    for (let i = 0; i < count; ++i) {
      if (!there(i)) continue;
      const [x, y] = at(i), column = Math.floor((x - bbox.left) / ratio), row = Math.floor((y - bbox.top) / ratio);
      if (column < 0 || row < 0 || column >= width || row >= height || inked[row * width + column]++) continue;
      ctx.fillRect(bbox.left + (column - 0.5) * ratio, bbox.top + (row - 0.5) * ratio, 2 * ratio, 2 * ratio);
      ++this.dotCount;
    }
  }

  // A circle, a square, a triangle or a diamond: told apart without colours.
  mark(ctx, [x, y], shape, r) {
    ctx.beginPath();
    if (shape % 4 === 0) ctx.arc(x, y, r, 0, 2 * Math.PI);
    else {
      const corners = [[[-1, -1], [1, -1], [1, 1], [-1, 1]], [[0, -1.3], [1.2, 0.9], [-1.2, 0.9]], [[0, -1.4], [1.4, 0], [0, 1.4], [-1.4, 0]]][shape % 4 - 1];
      corners.forEach(([dx, dy], i) => (i ? ctx.lineTo(x + r * dx, y + r * dy) : ctx.moveTo(x + r * dx, y + r * dy)));
      ctx.closePath();
    }
    ctx.fill();
  }
};
