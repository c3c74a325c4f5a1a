// Level of detail: a picture draws about as many points as it has pixels, however many there are, and no peak is lost.
"use strict";

// Coarser and coarser versions of columns over an ascending x: of every bucket of rows the least and the largest value of each
// column, in the order in which they come. Level 0 are the columns themselves; others are made when they are needed.
driftless.Levels = class {
  constructor(columns) {
    this.levels = new Map([[1, columns]]);
    this.made = 0;
  }

  // The finest level that has at most `most` points between two values of x.
  between(min, max, most) {
    const x = this.levels.get(1)[0], n = driftless.firstAbove(x, max) - driftless.firstAbove(x, min, true);
    let bucket = 1;
    if (n > most) for (bucket = 4; 2 * n > bucket * most;) bucket *= 2;
    if (!this.levels.has(bucket)) this.levels.set(bucket, this.make(bucket));
    return this.levels.get(bucket);
  }

  make(bucket) {
    ++this.made;
    const columns = this.levels.get(1), rows = columns[0].length, buckets = Math.ceil(rows / bucket);
    const result = columns.map((column) => (column instanceof Float64Array ? new Float64Array(2 * buckets) : new Array(2 * buckets).fill(null)));
    for (let b = 0; b < buckets; ++b) {
      const from = b * bucket, to = Math.min(rows, from + bucket);
      result[0][2 * b] = columns[0][from];
      result[0][2 * b + 1] = columns[0][to - 1];
      for (let c = 1; c < columns.length; ++c) {
        const column = columns[c];
        let low = -1, high = -1;
        for (let i = from; i < to; ++i) {
          const y = column[i];
          if (y === null || y === undefined) continue;
          if (low < 0 || y < column[low]) low = i;
          if (high < 0 || y > column[high]) high = i;
        }
        if (low < 0) continue;
        result[c][2 * b] = column[Math.min(low, high)];
        result[c][2 * b + 1] = column[Math.max(low, high)];
      }
    }
    return result;
  }
};

// The first index with x[i] > value, or >= value; x ascends.
driftless.firstAbove = function (x, value, orEqual = false) {
  let low = 0, high = x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (orEqual ? x[middle] >= value : x[middle] > value) high = middle; else low = middle + 1;
  }
  return low;
};

// Lines for uPlot: joined points where there are few, in short pieces where there are more, and one bar for each column of pixels,
// from the least to the largest value in it, where there are many: a stroke along thousands of steep lines is slow.
driftless.linePaths = function (stepped) {
  const joined = stepped ? uPlot.paths.stepped({align: -1}) : uPlot.paths.linear();
  return (u, index, from, to) => {
    if (u.scales.x.distr !== 1 || to - from <= 64) return joined(u, index, from, to);
    driftless.withPen(u, index, to - from <= u.bbox.width / devicePixelRatio ? driftless.drawPieces : driftless.drawColumns, from, to, stepped);
    return null;
  };
};

driftless.withPen = function (u, index, draw, ...rest) {
  const {ctx, bbox} = u, series = u.series[index];
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.fillStyle = ctx.strokeStyle = series.stroke(u, index);
  ctx.lineWidth = series.width * devicePixelRatio;
  ctx.lineJoin = "round";
  ctx.setLineDash([]);
  draw(u, index, ...rest);
  ctx.restore();
};

// The time of a stroke grows with the square of its length where the line goes up and down, so it is cut; dashes go on from piece
// to piece.
driftless.drawPieces = function (u, index, from, to, stepped) {
  const {ctx} = u, xs = u.data[0], ys = u.data[index], series = u.series[index], dash = (series.dash || []).map((d) => d * devicePixelRatio);
  ctx.setLineDash(dash);
  ctx.lineCap = dash.length ? "butt" : "round";
  let count = 0, length = 0, before = null;
  const lineTo = (x, y) => {
    length += Math.hypot(x - before[0], y - before[1]);
    ctx.lineTo(x, y);
    before = [x, y];
  };
  const begin = (x, y) => {
    before = [x, y];
    ctx.beginPath();
    ctx.lineDashOffset = length;
    ctx.moveTo(x, y);
  };
  for (let i = from; i <= to; ++i) {
    if (ys[i] === null || ys[i] === undefined) continue;
    const x = u.valToPos(xs[i], "x", true), y = u.valToPos(ys[i], series.scale, true);
    if (before === null) { begin(x, y); continue; }
    if (stepped) lineTo(before[0], y);  // the value at the end of a step is that of the step
    lineTo(x, y);
    if (++count % 8) continue;
    ctx.stroke();
    begin(x, y);
  }
  if (before !== null) ctx.stroke();
};

driftless.drawColumns = function (u, index, from, to, stepped) {
  const {ctx, bbox} = u, ratio = devicePixelRatio, count = Math.round(bbox.width / ratio), series = u.series[index];
  const xs = u.data[0], ys = u.data[index], {min, max, key} = {...u.scales.x, key: series.scale};
  const across = (x) => Math.floor((x - min) / (max - min) * count), up = (y) => u.valToPos(y, key, true);
  const dash = series.dash || [], period = dash.reduce((sum, d) => sum + d, 0);
  const inked = (column) => {  // dashes, as gaps between bars
    let at = period ? ((column % period) + period) % period : 0;
    for (let k = 0; k < dash.length; ++k) { if (at < dash[k]) return k % 2 === 0; at -= dash[k]; }
    return true;
  };
  const thick = ctx.lineWidth;
  ctx.beginPath();
  let column = null, low = 0, high = 0, last = 0, bars = 0;
  const close = () => {
    if (column === null || column < -1 || column > count || !inked(column)) return;
    const top = up(high), bottom = up(low);
    ctx.fillRect(bbox.left + column * ratio, Math.min(top, bottom) - thick / 2, ratio, Math.abs(bottom - top) + thick);
    ++bars;
  };
  for (let i = from; i <= to; ++i) {
    const y = ys[i];
    if (y === null || y === undefined) continue;
    const here = across(xs[i]);
    if (here === column) {
      if (y < low) low = y;
      if (y > high) high = y;
    } else {
      close();
      if (column !== null && here > column + 1) {  // a stretch without points
        ctx.moveTo(bbox.left + (column + 0.5) * ratio, up(last));
        if (stepped) ctx.lineTo(bbox.left + (here + 0.5) * ratio, up(last));
        ctx.lineTo(bbox.left + (here + 0.5) * ratio, up(y));
        low = high = y;
      } else {
        low = column === null ? y : Math.min(y, last);
        high = column === null ? y : Math.max(y, last);
      }
      column = here;
    }
    last = y;
  }
  close();
  ctx.stroke();
  driftless.bars = (driftless.bars || 0) + bars;
};

// Points for uPlot, full or open: of those that would lie on top of each other, one; circles, or squares where they are many.
driftless.pointPaths = function (full) {
  return (u, index, from, to) => {
    driftless.withPen(u, index, driftless.drawPoints, from, to, full);
    return null;
  };
};

driftless.drawPoints = function (u, index, from, to, full) {
  const {ctx} = u, xs = u.data[0], ys = u.data[index], ratio = devicePixelRatio, cells = new Set(), places = [];
  const apart = (to - from > 500 ? 5 : 2) * ratio;
  for (let i = from; i <= to; ++i) {
    if (ys[i] === null || ys[i] === undefined) continue;
    const x = u.valToPos(xs[i], "x", true), y = u.valToPos(ys[i], u.series[index].scale, true), cell = Math.round(x / apart) * 1e5 + Math.round(y / apart);
    if (cells.has(cell)) continue;
    cells.add(cell);
    places.push([x, y]);
  }
  driftless.points = places.length;
  const size = (places.length > 300 ? 2.5 : 4) * ratio;
  for (const [x, y] of places) {
    if (places.length > 300) {
      if (full) ctx.fillRect(x - size, y - size, 2 * size, 2 * size); else ctx.strokeRect(x - size, y - size, 2 * size, 2 * size);
      continue;
    }
    ctx.beginPath();
    ctx.arc(x, y, size, 0, 2 * Math.PI);
    if (full) ctx.fill(); else ctx.stroke();
  }
};
