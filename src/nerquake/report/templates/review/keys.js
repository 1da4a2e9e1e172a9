/* Keys: letters act and digits label, so they cannot collide. */
var ACTS = {
  a: function () { settle("accept"); }, r: function () { settle("reject"); }, R: reasons, e: pick, x: function () { settle("unsure"); },
  u: undo, j: function () { go(at + 1); }, k: function () { go(at - 1); }, n: undecided, m: look
};
function digit(number) {
  if (mode === "reasons" && number >= 1 && number <= data.reasons.length) { settle("reject", number); return true; }
  if (mode !== "relabel") { return false; }
  var field = $("filter"), open = options(field ? field.value : "");
  if (number === 0) { give(""); } else if (open[number - 1] !== undefined && number <= 9) { give(open[number - 1]); }
  return true;
}
function letter(event) {
  /* Keyboards of other scripts: the place of the key counts. */
  var key = event.key.length === 1 && event.key.charCodeAt(0) > 127 && /^Key[A-Z]$/.test(event.code) ? event.code[3] : event.key;
  return key.length !== 1 ? "" : event.shiftKey && /^r$/i.test(key) ? "R" : key.toLowerCase();
}
function field(element) {
  return Boolean(element && element.closest && element.closest("textarea, select, input:not([type=checkbox]):not([type=file])"));
}
function help(open) { if (open) { $("help").showModal(); } else { $("help").close(); } }
function onKey(event) {
  var control = event.ctrlKey || event.metaKey, key = event.key, inside = field(event.target);
  if (event.isComposing) { return; }
  if (control && !event.altKey && key.toLowerCase() === "s") { event.preventDefault(); save(); return; }
  if (control && !event.altKey && key.toLowerCase() === "z" && !inside) { event.preventDefault(); if (items.length) { undo(); } return; }
  if (control || event.altKey) { return; }
  if ($("help").open) { if (key === "?" && letters) { event.preventDefault(); help(false); } return; }
  if (key === "Escape" && mode) { event.preventDefault(); shut(); return; }
  if (key === "Escape" && inside) { event.target.blur(); return; }
  var number = /^[0-9]$/.test(key) ? Number(key) : /^Digit\d$/.test(event.code) && mode ? Number(event.code[5]) : -1;
  if (inside) { if (letters && event.target.id === "filter" && number >= 0 && digit(number)) { event.preventDefault(); } return; }
  if (key === "?" && letters) { event.preventDefault(); help(true); return; }
  if (!items.length) { return; }
  if (/^Arrow/.test(key) && !(event.target.closest && event.target.closest(".scroll"))) {
    event.preventDefault();
    go(at + (key === "ArrowRight" || key === "ArrowDown" ? 1 : -1));
  } else if (letters && number >= 0 && digit(number)) {
    event.preventDefault();
  } else if (letters && ACTS[letter(event)]) {
    event.preventDefault();
    ACTS[letter(event)]();
  }
}

function start() {
  recall();
  $("reviewer").value = state.reviewer;
  $("letters").checked = letters;
  $("work").hidden = !items.length;
  window.addEventListener("keydown", onKey);
  window.addEventListener("beforeunload", function (event) { if (Object.keys(state.unsaved).length) { event.preventDefault(); event.returnValue = ""; } });
  var clicks = { accept: ACTS.a, reject: ACTS.r, relabel: pick, unsure: ACTS.x, undo: undo, previous: ACTS.k, next: ACTS.j,
    undecided: undecided, reasons: reasons, peek: look, save: save, ask: function () { help(true); }, close: function () { help(false); } };
  Object.keys(clicks).forEach(function (id) { $(id).addEventListener("click", function () { clicks[id](); }); });
  $("continue").addEventListener("click", function () { $("file").click(); });
  $("file").addEventListener("change", function () { if ($("file").files.length) { load($("file").files[0]); } $("file").value = ""; });
  $("reviewer").addEventListener("input", function () { state.reviewer = $("reviewer").value; keep(); drawCounts(); });
  $("letters").addEventListener("change", function () {
    letters = $("letters").checked;
    try { localStorage.setItem(LETTERS, letters ? "on" : "off"); } catch (e) { /* a page without storage forgets the choice */ }
  });
  go(Math.max(0, items.findIndex(function (one) { return !decided(one.id); })));
  drawCounts();
  document.documentElement.dataset.ready = "1";
}
start();
