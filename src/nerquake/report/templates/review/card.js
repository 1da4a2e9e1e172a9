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
