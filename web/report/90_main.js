// Puts the page together.
"use strict";

driftless.start = function () {
  const {element} = driftless;
  const data = JSON.parse(document.getElementById("data").textContent);
  driftless.data = data;
  const navigation = element("nav", {"aria-label": "sections"});
  const main = element("main");
  const header = element("header", {}, element("h1", {}), element("p", {class: "subtitle"}), navigation,
    element("button", {type: "button", class: "theme", "aria-label": "light or dark", title: "light or dark",
      onclick: () => driftless.theme.toggle()}, "\u25d0"));
  document.body.append(header, main, element("footer", {}, "driftless " + (data.version || (data.runs && data.runs[0].version) || "")));

  // fill(host) may return false: there is nothing to show.
  driftless.section = function (id, title, fill, hint) {
    const host = element("section", {id, "aria-labelledby": id + "-title"}, element("h2", {id: id + "-title"}, title),
      hint ? element("p", {class: "hint"}, hint) : null);
    main.append(host);
    if (fill(host) === false) return host.remove();
    navigation.append(element("a", {href: "#" + id}, title));
  };
  driftless.headline = (title, subtitle) => {
    header.querySelector("h1").textContent = title;
    header.querySelector(".subtitle").textContent = subtitle || "";
    header.querySelector(".subtitle").title = subtitle || "";
  };
  driftless.theme.apply();
  driftless.pages[data.kind](data);
  driftless.theme.apply();
  driftless.ready = true;
};

driftless.pages = {
  reproduce: (data) => driftless.reproduced(data),
  article: (data) => driftless.article(data),
  solve({runs}) {
    const labels = driftless.labels(runs);
    runs.forEach((run, i) => {
      run.label = labels[i];
      run.table = driftless.table(run.series);
      run.stepTable = driftless.table(run.steps);
      run.rejected = driftless.table(run.rejections);
    });
    driftless.runs = runs;
    const models = [...new Set(runs.map((run) => run.model))], {section, words, pictures} = driftless;
    driftless.headline(models.join(", "), runs.length > 1 ? `${runs.length} runs compared` : runs[0].title);
    section("summary", "Summary", (host) => words.summary(host, runs));
    if (runs.some((run) => run.frames))
      section("motion", "Motion", (host) => { for (const run of runs) if (run.frames) new driftless.Animation(host, run); });
    section("residuals", "Constraints", (host) => pictures.residuals(host, runs),
      "Drag to zoom, shift and drag to move, Ctrl and the wheel to zoom; double click or 0 for everything. Arrow keys, plus and minus work, too.");
    section("results", "Results", (host) => pictures.results(host, runs));
    section("phase", "Phase portrait", (host) => (runs[0].columns.length > 1 ? new driftless.Phase(host, runs) : false));
    section("steps", "Steps", (host) => pictures.steps(host, runs));
    section("statistics", "Statistics", (host) => { words.statistics(host, runs); words.finalValues(host, runs); });
    section("options", "Options", (host) => words.options(host, runs));
    section("model", "Model", (host) => words.modelText(host, runs));
  },
};

document.addEventListener("DOMContentLoaded", driftless.start);
