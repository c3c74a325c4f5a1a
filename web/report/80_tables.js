// Words and tables: the summary, statistics by cause, options, the text of the model.
"use strict";

driftless.words = (() => {
  const {element} = driftless;
  const text = {steps: "accepted steps", rejected_by_error: "rejected: error too large", rejected_by_newton: "rejected: Newton did not converge",
    rejected_by_projection: "rejected: projection failed", newton_iterations: "Newton iterations", evaluations: "evaluations of the right-hand side",
    jacobians: "Jacobians", jacobians_slow_newton: "Jacobians because Newton was slow", jacobians_after_failure: "Jacobians after a failure",
    factorisations: "factorisations", order_raised: "order raised", order_lowered: "order lowered", explicit_steps: "explicit steps",
    turned_implicit: "changes to Radau", turned_explicit: "changes to an explicit method", events: "events",
    position: "largest residual of the constraint, |g|", velocity: "of its first derivative, |Dg f|", acceleration: "of its second derivative",
    condition: "worst condition of the deciding matrix", condition_time: "the time of the worst condition", energy_at_start: "energy at the start", energy_change: "largest change of the energy"};

  const mark = {good: "\u2713", note: "\u2192", bad: "!"};
  const kind = {good: "good: ", note: "", bad: "attention: "};
  // [{kind: good|note|bad, text}]
  const remarks = (list) => element("ul", {class: "summary"}, list.map((remark) => element("li", {class: remark.kind},
    element("span", {class: "mark", "aria-hidden": "true"}, mark[remark.kind]),
    element("span", {}, element("span", {class: "unseen"}, kind[remark.kind]), remark.text))));
  function summary(host, runs) {
    for (const run of runs) {
      if (runs.length > 1) host.append(element("h3", {}, run.label));
      host.append(element("p", {class: "what"}, `${run.equations}. `, run.options.rtol === undefined ? run.options.method + ", fixed steps."
        : `${run.options.method}, relative tolerance ${driftless.tick(run.options.rtol)}.`));
      host.append(remarks(run.summary));
    }
  }

  const value = (x, digits) => (typeof x === "number" ? (Number.isInteger(x) ? x.toLocaleString("en") : (digits > 6 ? String(Number(x.toPrecision(digits))) : driftless.tick(Number(x.toPrecision(digits)))))
    : x === undefined ? "" : typeof x === "string" ? x : JSON.stringify(x));
  function table(runs, of, names, digits = 4) {
    const keys = [...new Set(runs.flatMap((run) => Object.keys(of(run))))];
    const rows = keys.map((key) => element("tr", {}, element("th", {scope: "row"}, (names && names[key]) || key),
      runs.map((run) => element("td", {"data-key": key}, value(of(run)[key], digits)))));
    const head = runs.length > 1 ? element("thead", {}, element("tr", {}, element("td"), runs.map((run) => element("th", {scope: "col"}, run.label)))) : null;
    return element("div", {class: "scroll"}, element("table", {}, head, element("tbody", {}, rows)));
  }

  function statistics(host, runs) {
    const counts = (run) => Object.fromEntries(Object.entries(run.result.statistics).filter(([, x]) => typeof x === "number"));
    host.append(table(runs, (run) => ({...counts(run), ...run.result.constraints, "seconds of work": run.seconds}), text));
    if (runs.some((run) => run.result.statistics.error))
      host.append(element("h3", {}, "Errors at the end, against trusted digits"), table(runs, (run) => run.result.statistics.error || {}));
  }
  function finalValues(host, runs) {
    host.append(element("details", {}, element("summary", {}, "Values at the end"), table(runs, (run) => run.result.final, null, 10)));
  }
  function options(host, runs) {
    host.append(table(runs, (run) => ({model: run.model, source: run.source, ...(run.model_hash ? {"model hash": run.model_hash} : {}),
      ...run.options, program: "driftless " + run.version, created: run.created})));
  }
  function modelText(host, runs) {
    const seen = new Set();
    for (const run of runs) {
      if (!run.text || seen.has(run.text)) continue;
      seen.add(run.text);
      host.append(element("pre", {tabindex: 0, "aria-label": "text of the model"}, run.text));
    }
    return seen.size > 0;
  }
  return {remarks, summary, statistics, finalValues, options, modelText, table};
})();
