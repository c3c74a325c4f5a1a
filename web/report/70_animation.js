// A mechanism in motion: points, links, springs, bodies and traces of the model's drawing. Every frame is a row of results.
"use strict";

driftless.Animation = class {
  constructor(host, run) {
    this.run = run;
    const frames = driftless.table(run.frames);
    this.times = frames.columns[0];
    this.dimension = run.drawing.dimension;
    this.coordinates = frames.columns.slice(1);
    this.points = this.coordinates.length / this.dimension;
    this.frame = 0;
    this.playing = false;
    this.angles = [0.5, 0.35];  // of the view of a spatial one
    const span = this.times[this.times.length - 1] - this.times[0];
    this.usual = span > 0 ? span / Math.min(20, Math.max(6, span)) : 1;
    this.center = this.findCenter();
    this.makeControls(host);
    driftless.animations.push(this);
    driftless.theme.onChange(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  makeControls(host) {
    const {element} = driftless;
    this.canvas = element("canvas", {class: "stage", role: "img", "aria-label": "Animation of " + this.run.model});
    this.button = element("button", {type: "button", class: "play", onclick: () => this.toggle()}, "Play");
    this.scrub = element("input", {type: "range", min: 0, max: this.times.length - 1, step: 1, value: 0, "aria-label": "time",
      oninput: () => { this.stop(); this.goTo(Number(this.scrub.value)); }});
    this.speed = element("select", {"aria-label": "speed", onchange: () => this.restart()},
      [0.125, 0.25, 0.5, 1, 2, 4].map((factor) => element("option", {value: factor * this.usual, selected: factor === 1},
        driftless.short(Number((factor * this.usual).toPrecision(2))) + "\u00d7")));
    this.clock = element("output", {class: "clock"});
    const figure = element("figure", {class: "chart animation", tabindex: 0, role: "group", onkeydown: (event) => this.key(event),
      "aria-label": "Animation. Space plays and pauses, arrow keys move by one frame."},
    element("figcaption", {}, element("span", {class: "title"}, "In motion" + (this.run.label ? " (" + this.run.label + ")" : ""))),
    this.canvas, element("div", {class: "controls"}, this.button, this.scrub, this.clock, element("label", {}, "speed ", this.speed)),
    element("p", {class: "note"}, "Speed is in units of the model's time." + (this.dimension === 3 ? " Drag to turn." : "")));
    host.append(figure);
    if (this.dimension === 3) this.turnByDragging();
  }

  findCenter() {
    const low = [], high = [];
    for (let d = 0; d < this.dimension; ++d) {
      low.push(Infinity);
      high.push(-Infinity);
      for (let p = 0; p < this.points; ++p)
        for (const x of this.coordinates[p * this.dimension + d]) {
          if (x < low[d]) low[d] = x;
          if (x > high[d]) high[d] = x;
        }
    }
    this.low = low;
    this.high = high;
    return low.map((x, d) => (x + high[d]) / 2);
  }

  // Point p at a frame, as the run has it.
  at(p, frame = this.frame) {
    const position = [];
    for (let d = 0; d < this.dimension; ++d) position.push(this.coordinates[p * this.dimension + d][frame]);
    return position;
  }

  // Onto the plane of the picture, centre at 0.
  flat(position) {
    const r = position.map((x, d) => x - this.center[d]);
    if (this.dimension === 2) return r;
    const [a, b] = this.angles;
    const x = Math.cos(a) * r[0] - Math.sin(a) * r[1], y = Math.sin(a) * r[0] + Math.cos(a) * r[1];
    return [x, Math.cos(b) * r[2] + Math.sin(b) * y];
  }

  extent() {
    const size = this.high.map((x, d) => x - this.low[d]);
    if (this.dimension === 2) return [size[0] || 1e-9, size[1] || 1e-9];
    const all = Math.hypot(...size) || 1;
    return [all, all];
  }

  draw() {
    const ratio = devicePixelRatio, width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (!width) return;
    if (this.canvas.width !== width * ratio || this.canvas.height !== height * ratio) {
      this.canvas.width = width * ratio;
      this.canvas.height = height * ratio;
    }
    const ctx = this.canvas.getContext("2d"), [w, h] = this.extent(), margin = 26;
    const scale = Math.min((width - 2 * margin) / w, (height - 2 * margin) / h);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, width, height);
    ctx.lineCap = ctx.lineJoin = "round";
    this.place = (position) => {
      const [x, y] = this.flat(position);
      return [width / 2 + scale * x, height / 2 - scale * y];
    };
    this.drawTraces(ctx);
    this.drawParts(ctx);
    this.clock.textContent = "t = " + this.times[this.frame].toPrecision(5);
    this.scrub.value = this.frame;
  }

  drawTraces(ctx) {
    this.run.drawing.traces.forEach((p, k) => {
      ctx.strokeStyle = driftless.theme.color(1 + k);
      ctx.lineWidth = 1.2;
      ctx.globalAlpha = 0.75;
      ctx.beginPath();
      for (let frame = 0; frame <= this.frame; ++frame) ctx.lineTo(...this.place(this.at(p, frame)));
      ctx.stroke();
      ctx.globalAlpha = 1;
    });
  }

  drawParts(ctx) {
    const {links, springs, bodies, ground} = this.run.drawing, theme = driftless.theme, ink = theme.css("--ink");
    const xy = [];
    for (let p = 0; p < this.points; ++p) xy.push(this.place(this.at(p)));
    bodies.forEach((body) => {
      ctx.beginPath();
      body.forEach((p) => ctx.lineTo(...xy[p]));
      ctx.closePath();
      ctx.globalAlpha = 0.3;
      ctx.fillStyle = theme.color(2);
      ctx.fill();
      ctx.globalAlpha = 1;
      ctx.strokeStyle = theme.color(2);
      ctx.lineWidth = 2.5;
      ctx.stroke();
    });
    ctx.strokeStyle = theme.color(0);
    ctx.lineWidth = 4;
    links.forEach(([a, b]) => {
      ctx.beginPath();
      ctx.moveTo(...xy[a]);
      ctx.lineTo(...xy[b]);
      ctx.stroke();
    });
    springs.forEach(([a, b]) => this.drawSpring(ctx, xy[a], xy[b], theme.color(3)));
    xy.forEach(([x, y], p) => {
      const fixed = ground.includes(p);
      ctx.fillStyle = fixed ? ink : theme.css("--paper");
      ctx.strokeStyle = ink;
      ctx.lineWidth = 1.5;
      ctx.beginPath();
      if (fixed) ctx.rect(x - 5, y - 5, 10, 10);
      else ctx.arc(x, y, this.points > 40 ? 2.5 : 4.5, 0, 2 * Math.PI);
      ctx.fill();
      ctx.stroke();
    });
  }

  drawSpring(ctx, [ax, ay], [bx, by], color) {
    const length = Math.hypot(bx - ax, by - ay) || 1, nx = -(by - ay) / length, ny = (bx - ax) / length, turns = 12;
    ctx.strokeStyle = color;
    ctx.lineWidth = 2;
    ctx.beginPath();
    ctx.moveTo(ax, ay);
    for (let i = 1; i < turns; ++i) {
      const s = i / turns, side = i === 1 || i === turns - 1 ? 0 : i % 2 ? 6 : -6;
      ctx.lineTo(ax + s * (bx - ax) + side * nx, ay + s * (by - ay) + side * ny);
    }
    ctx.lineTo(bx, by);
    ctx.stroke();
  }

  goTo(frame) {
    this.frame = Math.max(0, Math.min(this.times.length - 1, frame));
    this.draw();
  }
  toggle() { if (this.playing) this.stop(); else this.play(); }
  stop() {
    this.playing = false;
    this.button.textContent = "Play";
  }
  restart() {
    if (!this.playing) return;
    this.begun = performance.now();
    this.from = this.times[this.frame];
  }
  play() {
    if (this.frame === this.times.length - 1) this.frame = 0;
    this.playing = true;
    this.button.textContent = "Pause";
    this.restart();
    requestAnimationFrame((now) => this.tick(now));
  }
  // The last row that is not after the time on the clock.
  tick(now) {
    if (!this.playing) return;
    const t = this.from + (now - this.begun) / 1000 * Number(this.speed.value);
    let frame = this.frame;
    while (frame + 1 < this.times.length && this.times[frame + 1] <= t) ++frame;
    if (frame !== this.frame) this.goTo(frame);
    if (frame === this.times.length - 1) this.stop();
    else requestAnimationFrame((next) => this.tick(next));
  }

  key(event) {
    if (event.target !== event.currentTarget) return;
    const action = {" ": () => this.toggle(), ArrowRight: () => { this.stop(); this.goTo(this.frame + 1); },
      ArrowLeft: () => { this.stop(); this.goTo(this.frame - 1); }, Home: () => this.goTo(0),
      End: () => this.goTo(this.times.length - 1)}[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  turnByDragging() {
    this.canvas.addEventListener("pointerdown", (event) => {
      const from = [event.clientX, event.clientY], angles = [...this.angles];
      this.canvas.setPointerCapture(event.pointerId);
      const move = (e) => {
        this.angles = [angles[0] + (e.clientX - from[0]) / 120, Math.max(-1.57, Math.min(1.57, angles[1] + (e.clientY - from[1]) / 120))];
        this.draw();
      };
      this.canvas.addEventListener("pointermove", move);
      this.canvas.addEventListener("pointerup", () => this.canvas.removeEventListener("pointermove", move), {once: true});
    });
  }
};
