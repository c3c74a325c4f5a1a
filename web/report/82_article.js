// Pages of words, pictures and tables: what an analysis or a benchmark found.
"use strict";

// A picture: {title, x, y, log_x, log_y, plane, note, curves: [{label, x, y, style, color, names}]}; those not in a plane are functions of x.
// With `together` all pictures over the same stretch of x move together.
driftless.curves = function (host, picture, together) {
  const positive = (values, log) => driftless.withGaps(log ? Array.from(values, (y) => (y > 0 ? y : NaN)) : values);
  const curves = picture.curves.map((curve, i) => ({label: curve.label, style: curve.style, names: curve.names, shape: curve.shape, show: curve.show,
    color: curve.color === undefined ? i : curve.color, x: picture.plane ? positive(driftless.decode(curve.x), picture.log_x) : driftless.decode(curve.x), y: positive(driftless.decode(curve.y), picture.log_y)}));
  if (!curves.some((curve) => curve.x.length)) return null;
  if (picture.plane)
    return new driftless.Plane(host, {title: picture.title, xLabel: picture.x, yLabel: picture.y, logX: picture.log_x, logY: picture.log_y,
      note: picture.note, curves});
  const data = driftless.align(curves.map((curve) => ({x: curve.x, ys: [curve.y]})));
  const from = Math.min(...curves.map((curve) => curve.x[0])), to = Math.max(...curves.map((curve) => curve.x[curve.x.length - 1]));
  const pad = picture.log_x ? [from / 1.2, to * 1.2] : from < to ? [from, to] : [from - 0.5, to + 0.5];
  return new driftless.Chart(host, {title: picture.title, x: data[0], xLabel: picture.x, logX: picture.log_x, log: picture.log_y, full: pad,
    note: picture.note, range: together && !picture.log_x ? driftless.rangeOf(pad) : driftless.newRange(),
    series: curves.map((curve, i) => ({label: curve.label, color: curve.color, values: data[i + 1], show: curve.show, guide: curve.style === "guide",
      points: curve.style === "points" ? "full" : null}))});
};

driftless.rangeOf = (() => {
  const known = new Map();
  return ([from, to]) => {
    const key = from + " " + to;
    if (!known.has(key)) known.set(key, driftless.newRange());
    return known.get(key);
  };
})();

driftless.article = function ({title, subtitle, sections}) {
  const {element, words} = driftless;
  driftless.headline(title, subtitle);
  const table = (one, above) => {
    const number = (i) => (one.columns[i].number ? "number" : null);
    const whole = element("div", {class: "scroll"}, element("table", {class: "wide", "data-table": one.title || ""},
      one.columns.some((column) => column.title) ? element("thead", {}, element("tr", {},
        one.columns.map((column, i) => element("th", {scope: "col", class: number(i)}, column.title)))) : null,
      element("tbody", {}, one.rows.map((row) => element("tr", {}, row.map((text, i) => element(i ? "td" : "th",
        i ? {class: number(i)} : {scope: "row"}, text)))))));
    if (one.folded) return [element("details", {}, element("summary", {}, one.title), whole)];
    return [one.title && one.title !== above ? element("h3", {}, one.title) : null, whole];
  };
  for (const part of sections)
    driftless.section(part.id, part.title, (host) => {
      if (part.what) host.append(element("p", {class: "what"}, part.what));
      if (part.remarks.length) host.append(words.remarks(part.remarks));
      for (const picture of part.pictures) driftless.curves(host, picture, true);
      if (part.clouds) driftless.clouds(host, part.clouds);
      for (const one of part.tables) host.append(...table(one, part.title).filter(Boolean));
      if (part.text) host.append(element("pre", {tabindex: 0, "aria-label": part.title}, part.text));
    });
};

// Sets of points, any coordinate over any other: {title, note, joined, names, sets: [{label, columns}]}.
driftless.clouds = function (host, clouds) {
  const columns = clouds.names.map((name) => ({name}));
  const runs = clouds.sets.map((set) => ({label: set.label, columns, table: driftless.table({names: clouds.names, columns: set.columns})}));
  driftless.cloud = new driftless.Phase(host, runs, {title: clouds.title, note: clouds.note, points: !clouds.joined, wide: true});
};
