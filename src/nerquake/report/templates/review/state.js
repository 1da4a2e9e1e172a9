/* What is reviewed, and what is known of it. */
var data = JSON.parse(document.getElementById("data").textContent);
var items = data.items, labels = data.labels, KEY = "nerquake-review:" + data.fingerprint + ":" + data.page;
var LETTERS = "nerquake-review-letters", FORMAT = "nerquake-decisions";
var byId = new Map(items.map(function (item, place) { return [item.id, place]; }));
var state = { decisions: {}, history: [], unsaved: {}, reviewer: data.reviewer };
var at = 0, mode = "", chosen = -1, peek = false, seen = false, since = performance.now(), handle = null, letters = true;

/* The draft: kept after every key, under the fingerprint of what is reviewed. */
function keep() {
  try { localStorage.setItem(KEY, JSON.stringify(state)); } catch (e) { /* then saving is all there is */ }
}
function recall() {
  try {
    letters = localStorage.getItem(LETTERS) !== "off";
    var found = JSON.parse(localStorage.getItem(KEY) || "null");
    if (found && found.decisions && found.history && found.unsaved) { state = found; }
  } catch (e) { /* no storage, no draft */ }
}

function item() { return items[at]; }
function decided(id) { return state.decisions[id] || null; }
function left() { return items.filter(function (one) { return !decided(one.id); }); }
function spansOf(one) {
  var made = decided(one.id);
  if (!made || made.decision !== "relabel") { return one.spans; }
  return one.spans.map(function (span) {
    var same = made.spans.find(function (given) { return given[0] === span[0] && given[1] === span[1]; });
    return [span[0], span[1], same ? same[2] : ""];
  });
}

/* Decisions. */
function put(id, decision) {
  state.history.push([id, decided(id)]);
  if (decision) { state.decisions[id] = decision; } else { delete state.decisions[id]; }
  state.unsaved[id] = true;
  keep();
}
function decide(choice, reason, spans) {
  var one = item(), before = decided(one.id);
  put(one.id, {
    id: one.id, decision: choice, reason: reason || null, spans: spans || null,
    seen_predictions: seen || Boolean(before && before.seen_predictions),
    seconds: Math.round((performance.now() - since) / 100) / 10
  });
}
function settle(choice, number) {
  var id = item().id;
  decide(choice, number ? data.reasons[number - 1] : "");
  go(at + 1 < items.length ? at + 1 : at);
  say(choice + (number ? ": " + data.said[number - 1] : "") + " · " + shown(id) + " · u undoes");
}
function name(mention) {
  var span = item().spans[mention];
  return shown(item().attacked.slice(span[0], span[1]).join(" "));
}
function pick() {
  if (!item().spans.length) { say("no mention to relabel · " + shown(item().id)); return; }
  chosen = (chosen + 1) % item().spans.length;
  mode = "relabel";
  draw();
  say("mention " + (chosen + 1) + " of " + item().spans.length + ": " + name(chosen) + " · a digit gives it a label, 0 takes it away");
}
function give(label) {
  var one = item(), spans = spansOf(one).map(function (span) { return span.slice(); }), gold = JSON.stringify(one.spans);
  spans[chosen][2] = label;
  var given = spans.filter(function (span) { return span[2]; }), same = JSON.stringify(given) === gold;
  if (same) { put(one.id, null); } else { decide("relabel", "", given); }
  shut();
  say("relabel: " + name(chosen) + (label ? " is now " + shown(label) : " is no mention") + (same ? ", as it was: undecided" : "")
    + " · " + shown(one.id) + " · u undoes, n goes on");
}
function undo() {
  var last = state.history.pop();
  if (!last) { say("nothing to undo"); return; }
  var was = decided(last[0]);
  if (last[1]) { state.decisions[last[0]] = last[1]; } else { delete state.decisions[last[0]]; }
  state.unsaved[last[0]] = true;
  keep();
  if (byId.has(last[0])) { go(byId.get(last[0])); }
  say("undone: " + (was ? was.decision : "label as it was") + " · " + shown(last[0]));
}

/* Moving about. */
function go(place) {
  if (!items.length) { return; }
  at = Math.min(items.length - 1, Math.max(0, place));
  mode = ""; chosen = -1; peek = false; seen = false; since = performance.now();
  draw();
}
function undecided() {
  for (var step = 1; step <= items.length; step += 1) {
    var place = (at + step) % items.length;
    if (!decided(items[place].id)) { go(place); return; }
  }
  say("all " + items.length + " decided");
}
function shut() { mode = ""; draw(); }
function look() { peek = !peek; seen = seen || peek; draw(); }
function reasons() { mode = mode === "reasons" ? "" : "reasons"; draw(); if (mode) { say("why? 1 to " + data.reasons.length); } }
function say(text) { $("status").textContent = text; }
function complain(text) { $("alert").hidden = !text; $("alert").textContent = text; }
