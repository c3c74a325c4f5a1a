// What papers say beside what is measured.
"use strict";

driftless.reproduced = function ({items, summary}) {
  const {element, section} = driftless;
  const off = items.filter((item) => !item.ok);
  driftless.headline("Papers and measurements", summary);
  // What was measured as it should be is good, also where that contradicts the paper.
  const classes = {reproduced: "verdict-good", refuted: "verdict-refuted", off: "verdict-bad"}, signs = {reproduced: "\u2713", refuted: "\u2260", off: "!"};
  const word = ({verdict, ok}, found = ok ? verdict : "off") => element("span", {class: classes[found]}, `${signs[found]} ${found}`);
  section("overview", "Overview", (host) => {
    host.append(driftless.words.remarks([off.length === 0 ? {kind: "good", text: `Everything is where it should be: ${summary}.`}
      : {kind: "bad", text: "Off: " + off.map((item) => item.item).join(", ") + "."}]));
    for (const source of new Set(items.map((item) => item.source)))
      host.append(element("h3", {}, source), element("div", {class: "scroll"}, element("table", {class: "overview"}, element("tbody", {},
        items.filter((item) => item.source === source).map((item) => element("tr", {}, element("th", {scope: "row"}, element("a", {href: "#" + item.item}, item.item)),
          element("td", {}, item.title), element("td", {}, word(item))))))));
  });
  for (const item of items)
    section(item.item, item.item, (host) => {
      host.append(element("p", {class: "what"}, item.title + ". " + item.source + ". "), element("p", {}, word(item), item.failure ? ": " + item.failure : ""));
      for (const picture of item.pictures) driftless.curves(host, picture);
      host.append(element("details", {open: item.lines.length < 14 || !item.ok}, element("summary", {}, `${item.lines.length} numbers`),
        element("div", {class: "scroll"}, element("table", {class: "wide"},
          element("thead", {}, element("tr", {}, ["", "the paper", "measured", "expected", "verdict"].map((text) => element("th", {scope: "col"}, text)))),
          element("tbody", {}, item.lines.map((line) => element("tr", {"data-id": line.id}, element("th", {scope: "row"}, line.what), element("td", {}, line.paper),
            element("td", {}, line.shown), element("td", {}, line.band), element("td", {}, word(line)))))))));
    });
};
