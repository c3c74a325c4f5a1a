// What papers say beside what is measured.
"use strict";

driftless.reproduced = function ({items}) {
  const {element, section} = driftless;
  const good = items.filter((item) => item.ok).length;
  driftless.headline("Papers and measurements", `${good} of ${items.length} items reproduced`);
  const word = (ok) => element("span", {class: ok ? "verdict-good" : "verdict-bad"}, ok ? "\u2713 reproduced" : "! off");
  section("overview", "Overview", (host) => {
    host.append(driftless.words.remarks([good === items.length ? {kind: "good", text: `Everything is where it should be: ${items.length} of ${items.length} items reproduced.`}
      : {kind: "bad", text: "Off: " + items.filter((item) => !item.ok).map((item) => item.item).join(", ") + "."}]));
    for (const source of new Set(items.map((item) => item.source)))
      host.append(element("h3", {}, source), element("div", {class: "scroll"}, element("table", {class: "overview"}, element("tbody", {},
        items.filter((item) => item.source === source).map((item) => element("tr", {}, element("th", {scope: "row"}, element("a", {href: "#" + item.item}, item.item)),
          element("td", {}, item.title), element("td", {}, word(item.ok))))))));
  });
  for (const item of items)
    section(item.item, item.item, (host) => {
      host.append(element("p", {class: "what"}, item.title + ". " + item.source + ". "), element("p", {}, word(item.ok), item.failure ? ": " + item.failure : ""));
      for (const picture of item.pictures) driftless.curves(host, picture);
      host.append(element("details", {open: item.lines.length < 14 || !item.ok}, element("summary", {}, `${item.lines.length} numbers`),
        element("div", {class: "scroll"}, element("table", {class: "wide"},
          element("thead", {}, element("tr", {}, ["", "the paper", "measured", "expected", "verdict"].map((text) => element("th", {scope: "col"}, text)))),
          element("tbody", {}, item.lines.map((line) => element("tr", {"data-id": line.id}, element("th", {scope: "row"}, line.what), element("td", {}, line.paper),
            element("td", {}, line.shown), element("td", {}, line.band), element("td", {}, word(line.ok)))))))));
    });
};
