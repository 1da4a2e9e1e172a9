(function () {
  "use strict";
  var data = JSON.parse(document.getElementById("data").textContent);
  var items = data.items, labels = data.labels, KEY = "nerquake-review:" + data.fingerprint + ":" + data.page;
  var LETTERS = "nerquake-review-letters", FORMAT = "nerquake-decisions";
  var byId = new Map(items.map(function (item, place) { return [item.id, place]; }));
  var state = { decisions: {}, history: [], unsaved: {}, reviewer: data.reviewer };
  var at = 0, mode = "", chosen = -1, peek = false, seen = false, since = performance.now(), handle = null, letters = true;

  function $(id) { return document.getElementById(id); }
  function make(tag, text, name) {
    var element = document.createElement(tag);
    if (text) { element.textContent = text; }
    if (name) { element.className = name; }
    return element;
  }
  function shown(text) {
    return Array.from(text).map(function (c, i, all) { return hidden(c, i, all) ? "‹" + code(c) + "›" : c; }).join("");
  }
  function code(c) { return "U+" + c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0"); }
  function unseen(c) { return c !== " " && /[\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u.test(c); }
  function hidden(c, i, all) {
    if (!unseen(c)) { return false; }
    var joins = (c === "\u200c" || c === "\u200d") && i > 0 && i < all.length - 1;
    return !joins || [all[i - 1], all[i + 1]].some(function (beside) { return beside === " " || unseen(beside); });
  }
  function pieces(into, text) {
    Array.from(text).forEach(function (c, i, all) {
      into.append(hidden(c, i, all) ? make("span", code(c), "hidden-char") : c);
    });
    return into;
  }

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

  /* Drawing. */
  function text(tokens, spans, changed) {
    var line = make("p"), moved = new Set(changed), place = 0;
    line.dir = "auto";
    function token(into, index) { pieces(moved.has(index) ? into.appendChild(make("u", "", "edit")) : into, tokens[index]); }
    while (place < tokens.length) {
      var number = spans.findIndex(function (span) { return span[0] === place && span[2]; });
      if (number < 0) {
        token(line, place); place += 1;
      } else {
        var span = spans[number], mark = make("mark", "", data.slots[span[2]] || "plain");
        for (var inner = span[0]; inner < span[1]; inner += 1) {
          if (inner > span[0]) { mark.append(" "); }
          token(mark, inner);
        }
        mark.append("\u00a0");
        mark.appendChild(make("b", "", "label")).append(make("bdi", shown(span[2])));
        if (spans === shownSpans && number === chosen && mode === "relabel") { mark.classList.add("chosen"); }
        line.append(mark);
        place = span[1];
      }
      line.append(" ");
    }
    return line;
  }
  var shownSpans = [];
  function side(word, line) {
    var box = make("div");
    box.append(make("span", word, "side"), line);
    return box;
  }
  function table(name, heads, rows) {
    var box = make("div", "", "scroll"), grid = make("table", "", "mentions"), head = make("tr"), body = make("tbody");
    box.tabIndex = 0; box.setAttribute("role", "region"); box.setAttribute("aria-label", name);
    heads.forEach(function (word) { var cell = make("th", word); cell.scope = "col"; head.append(cell); });
    rows.forEach(function (row) {
      var line = make("tr", "", row.chosen ? "chosen" : "");
      row.cells.forEach(function (words, place) {
        var cell = make(place ? "td" : "th");
        if (!place) { cell.scope = "row"; }
        cell.append(make("bdi", shown(words)));
        line.append(cell);
      });
      body.append(line);
    });
    grid.append(make("caption", name, "sr"), make("thead"), body);
    grid.tHead.append(head);
    box.append(grid);
    return box;
  }
  function words(tokens, span) { return tokens.slice(span[0], span[1]).join(" "); }
  function mentionRows(one) {
    var rows = shownSpans.map(function (span, number) {
      var old = one.from[number], was = old === null ? "∅" : words(one.original, one.gold[old]), now = words(one.attacked, span);
      return { chosen: number === chosen && mode === "relabel", cells: [was === now ? now : was + " → " + now, span[2] || "no mention"] };
    });
    one.gone.forEach(function (old) { rows.push({ cells: [words(one.original, one.gold[old]) + " → ∅", one.gold[old][2]] }); });
    return rows;
  }
  function listed(tokens, spans) {
    return spans.map(function (span) { return words(tokens, span) + " " + span[2]; }).join(" · ") || "nothing";
  }
  function drawCard() {
    var one = item(), sides = make("div", "", "sides"), parts = [sides];
    shownSpans = spansOf(one);
    sides.append(side("Original", text(one.original, one.gold, one.old)), side("Attacked", text(one.attacked, shownSpans, one.new)));
    if (shownSpans.length || one.gone.length) { parts.push(table("Mentions", ["Mention", "Label"], mentionRows(one))); }
    if (peek) {
      parts.push(table("Predictions", ["Model", "Original", "Attacked"], data.models.map(function (model, number) {
        var said = one.said[number];
        return { cells: [model].concat(said ? [listed(one.original, said[0]), listed(one.attacked, said[1])] : ["–", "–"]) };
      })));
    }
    $("card").replaceChildren.apply($("card"), parts);
  }
  function button(words, key, act) {
    var made = make("button", words + (key ? " " : ""));
    made.type = "button";
    if (key) { made.append(make("kbd", key)); }
    made.addEventListener("click", act);
    return made;
  }
  function options(filter) {
    return labels.filter(function (label) { return label.toLowerCase().includes(filter.toLowerCase()); });
  }
  function labelButtons(filter) {
    return options(filter).map(function (label, place) {
      return button(shown(label), place < 9 ? String(place + 1) : "", function () { give(label); });
    }).concat([button("no label", "0", function () { give(""); })]);
  }
  function drawPanel() {
    var panel = $("panel"), parts = [];
    var within = panel.contains(document.activeElement);
    panel.hidden = !mode;
    if (mode === "reasons") {
      panel.setAttribute("aria-label", "Reasons");
      parts = data.reasons.map(function (reason, place) { return button(reason, String(place + 1), function () { settle("reject", place + 1); }); });
    } else if (mode === "relabel") {
      panel.setAttribute("aria-label", "Labels");
      parts = [make("p", "Label of " + name(chosen) + " (mention " + (chosen + 1) + " of " + item().spans.length + ")")];
      if (labels.length > 9) { parts.push(filterField()); }
      parts = parts.concat(labelButtons(""));
    }
    panel.replaceChildren.apply(panel, parts);
    if ($("filter")) { $("filter").focus(); } else if (within) { $("relabel").focus(); }
  }
  function filterField() {
    var box = make("label", "Label "), field = make("input");
    field.id = "filter"; field.autocomplete = "off"; field.spellcheck = false;
    field.addEventListener("input", function () {
      while (box.nextSibling) { box.nextSibling.remove(); }
      box.after.apply(box, labelButtons(field.value));
    });
    box.append(field);
    return box;
  }
  function drawCounts() {
    var counts = { accept: 0, reject: 0, relabel: 0, unsure: 0 }, changed = Object.keys(state.unsaved).length, open = left().length;
    items.forEach(function (one) { var made = decided(one.id); if (made) { counts[made.decision] += 1; } });
    $("count").textContent = (items.length - open) + " of " + items.length + " decided: " + Object.keys(counts).map(function (key) {
      return counts[key] + " " + key;
    }).join(", ");
    $("bar").max = Math.max(1, items.length);
    $("bar").value = items.length - open;
    $("unsaved").hidden = !changed;
    $("unsaved").textContent = changed + " unsaved";
    $("end").hidden = open > 0;
    $("end").querySelector("p").textContent = items.length ? "All " + items.length + " decided. Save, then run:" : data.empty;
    $("end").querySelector("code").textContent = items.length ? data.command.replace("{file}", fileName()) : "";
  }
  function draw() {
    drawCounts();
    if (!items.length) { return; }
    var one = item(), made = decided(one.id), place = $("place"), what = make("strong");
    pieces(what, one.id);
    place.replaceChildren("Sentence " + (at + 1) + " of " + items.length + " · ", what, " · set " + shown(one.set) + " · "
      + (made ? made.decision + (made.reason ? ": " + made.reason : "") : "undecided"));
    ["accept", "reject", "relabel", "unsure"].forEach(function (choice) {
      $(choice).classList.toggle("done", Boolean(made && made.decision === choice));
    });
    $("peek").setAttribute("aria-pressed", String(peek));
    drawCard();
    drawPanel();
  }

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
}());
