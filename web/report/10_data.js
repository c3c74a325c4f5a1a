// The data of the page: JSON with columns of doubles in base64, and small helpers for the document.
"use strict";

const driftless = {charts: [], planes: [], animations: []};
window.driftless = driftless;

driftless.decode = function (text) {
  const bytes = atob(text);
  const raw = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; ++i) raw[i] = bytes.charCodeAt(i);
  return new Float64Array(raw.buffer);
};

// {names, columns} with columns as arrays, also by name.
driftless.table = function (table) {
  const columns = table.columns.map(driftless.decode);
  const by = {};
  table.names.forEach((name, i) => { by[name] = columns[i]; });
  return {names: table.names, columns, by, rows: table.rows, total: table.total};
};

// Numbers as uPlot wants them: null where there is none.
driftless.withGaps = function (values) {
  for (let i = 0; i < values.length; ++i)
    if (!Number.isFinite(values[i])) return Array.from(values, (x) => (Number.isFinite(x) ? x : null));
  return values;
};

// element("a", {href: "#x", class: "y", onclick: f}, child, "text", ...)
driftless.element = function (tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) element.append(child);
  return element;
};

driftless.short = function (x) {
  if (x === null || x === undefined || Number.isNaN(x)) return "-";
  if (x === 0) return "0";
  const size = Math.abs(x);
  return size >= 1e5 || size < 1e-3 ? x.toExponential(3) : String(Number(x.toPrecision(5)));
};

// For an axis: as few digits as tell the ticks apart.
driftless.tick = function (x) {
  const size = Math.abs(x);
  if (x !== 0 && (size >= 1e5 || size < 1e-3)) return x.toExponential(3).replace(/\.?0+e/, "e").replace("e+", "e");
  return String(Number(x.toPrecision(6)));
};

// What tells two runs of a comparison apart.
driftless.labels = function (runs) {
  if (runs.length === 1) return [""];
  const parts = runs.map((run) => ({model: run.model, method: run.options.method, project: "project " + run.options.project,
    rtol: run.options.rtol === undefined ? null : "rtol " + run.options.rtol,
    steps: run.options.steps ? run.options.steps + " steps" : run.options.step_size ? "h " + run.options.step_size : null,
    level: run.options.level || null, set: (run.options.set || []).join(" ") || null, file: run.file || null}));
  const keys = Object.keys(parts[0]).filter((key) => new Set(parts.map((part) => part[key])).size > 1);
  const words = parts.map((part) => keys.filter((key) => key !== "file").map((key) => part[key]).filter(Boolean).join(", "));
  const distinct = new Set(words).size === words.length && words.every(Boolean);
  return words.map((text, i) => (distinct ? text : [text, parts[i].file || "run " + (i + 1)].filter(Boolean).join(", ")));
};
