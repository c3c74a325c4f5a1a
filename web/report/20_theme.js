// Colours: light, dark and print; lines in the palette of Okabe and Ito, which colour-blind people can tell apart.
"use strict";

driftless.theme = (() => {
  const palette = {
    light: ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B37400", "#2A8FBD", "#000000"],
    dark: ["#56B4E9", "#E69F00", "#00B386", "#CC79A7", "#F0E442", "#D5602A", "#FFFFFF"],
  };
  const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let chosen = null, printing = false;
  const changed = [];

  const name = () => (printing ? "light" : chosen || (system.matches ? "dark" : "light"));
  function apply() {
    document.documentElement.dataset.theme = name();
    for (const action of changed) action();
  }
  system.addEventListener("change", apply);
  window.addEventListener("beforeprint", () => { printing = true; apply(); driftless.drawAll(); });
  window.addEventListener("afterprint", () => { printing = false; apply(); });

  return {
    name,
    apply,
    onChange: (action) => changed.push(action),
    toggle() {
      chosen = name() === "dark" ? "light" : "dark";
      apply();
    },
    color: (i) => palette[name()][i % 7],
    // After seven colours lines get dashes, so that no two look the same.
    dash: (i, run = 0) => dashes[(Math.floor(i / 7) + run) % dashes.length],
    css: (variable) => getComputedStyle(document.documentElement).getPropertyValue(variable).trim(),
  };
})();
