/* Files. */
function fileName() {
  return "decisions-" + (state.reviewer.trim().toLowerCase().replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-") || "reviewer") + ".jsonl";
}
function lines() {
  var head = { format: FORMAT, version: 1, fingerprint: data.fingerprint, reviewer: state.reviewer.trim(), items: items.length,
    undecided: left().map(function (one) { return one.id; }) };
  if (data.settles) { head.settles = true; }
  var made = items.filter(function (one) { return decided(one.id); }).map(function (one) {
    var d = decided(one.id);
    return { id: d.id, decision: d.decision, reason: d.reason, spans: d.spans, reviewer: d.reviewer || state.reviewer.trim(),
      seen_predictions: d.seen_predictions, seconds: d.seconds };
  });
  return [head].concat(made).map(function (line) { return JSON.stringify(line) + "\n"; }).join("");
}
async function write(text) {
  if (window.showSaveFilePicker) {
    try {
      handle = handle || await window.showSaveFilePicker({ suggestedName: fileName() });
      var stream = await handle.createWritable();
      await stream.write(text);
      await stream.close();
      return handle.name;
    } catch (e) {
      if (e.name === "AbortError") { return ""; }
      handle = null;
    }
  }
  var link = make("a"), address = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  link.download = fileName();
  link.href = address;
  link.click();
  setTimeout(function () { URL.revokeObjectURL(address); }, 10000);
  return fileName();
}
async function save() {
  var now = Object.keys(state.unsaved), made = JSON.stringify(state.decisions), written = await write(lines());
  if (!written) { say("not saved"); return; }
  if (made === JSON.stringify(state.decisions)) { now.forEach(function (id) { delete state.unsaved[id]; }); }
  keep();
  drawCounts();
  say("saved " + (items.length - left().length) + " decisions as " + shown(written));
}
function parsed(text, name) {
  var records = text.replace(/^\ufeff/, "").split("\n").filter(function (line) { return line.trim(); }).map(function (line, place) {
    try { return JSON.parse(line); } catch (e) { throw new Error(name + ", line " + (place + 1) + ": this is no JSON. Nothing was taken from it."); }
  });
  var head = records.shift() || {};
  if (head.format !== FORMAT || head.version !== 1) { throw new Error(name + " is no file of decisions. Nothing was taken from it."); }
  if (head.fingerprint !== data.fingerprint) {
    throw new Error(name + " holds decisions of " + (head.reviewer || "a reviewer") + " about another audit (fingerprint "
      + String(head.fingerprint).slice(0, 12) + ", this page has " + data.fingerprint.slice(0, 12) + "). Nothing was taken from it.");
  }
  var wrong = records.findIndex(function (one) {
    return !one || typeof one.id !== "string" || ["accept", "reject", "relabel", "unsure"].indexOf(one.decision) < 0
      || (one.decision === "relabel" && !Array.isArray(one.spans));
  });
  if (wrong >= 0) { throw new Error(name + ", line " + (wrong + 2) + ": this is no decision. Nothing was taken from it."); }
  return { reviewer: String(head.reviewer || ""), records: records };
}
async function load(file) {
  try {
    var found = parsed(await file.text(), shown(file.name)), unknown = new Set(), taken = new Set();
    found.records.forEach(function (one) {
      if (!byId.has(one.id)) { unknown.add(one.id); return; }
      taken.add(one.id);
      state.decisions[one.id] = { id: one.id, decision: one.decision, reason: one.reason || null, spans: one.spans || null,
        reviewer: one.reviewer || found.reviewer, seen_predictions: one.seen_predictions === true, seconds: one.seconds };
      delete state.unsaved[one.id];
    });
    state.history = [];
    state.reviewer = found.reviewer || state.reviewer;
    $("reviewer").value = state.reviewer;
    keep();
    complain("");
    go(Math.max(0, items.findIndex(function (one) { return !decided(one.id); })));
    say("loaded " + taken.size + " decisions of " + shown(found.reviewer || "a reviewer") + " from " + shown(file.name)
      + (unknown.size ? "; " + unknown.size + " unknown ids left out" : ""));
  } catch (error) { complain(error.message); }
}
