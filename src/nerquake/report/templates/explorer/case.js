// The open case: both texts side by side token by token, what a model made of them, and every mention in a table.
const CIRCLES = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳";
const NOTHING = "∅";
const circle = (k) => CIRCLES[k] || `(${k + 1})`;

// Strips over a text: [start, end, label, mark, hollow]. Layer -1 is gold; a model's has what it missed as hollow ones.
function stripsOf(data, side, layer) {
  if (layer < 0) return side.gold.map(([start, end, label]) => [start, end, label, "", false]);
  const strips = side.predicted.map((span) => {
    const k = side.answers.get(span[0]), mark = k === undefined ? "spurious" : OUTCOMES[side.outcomes[k]];
    return [span[0], span[1], span[2], side.judged ? MARKS[mark] : "", false];
  });
  for (const [k, span] of side.gold.entries()) {
    if (side.outcomes[k] === 3 && !side.predicted.some((one) => overlap(one, span) > 0)) strips.push([span[0], span[1], span[2], MARKS.missed, true]);
  }
  return strips;
}

// A token with its place in a strip: the strip's ground, edges at its ends, the label below its first token.
function cellOf(app, content, at, strips, tokens) {
  const strip = strips.find(([start, end]) => at >= start && at < end);
  const cell = make("span", { class: "x-cell" }, make("span", { class: "x-word", dir: "auto" }, ...content));
  if (!strip) return cell;
  const [start, end, label, mark, hollow] = strip, name = app.data.labels[label];
  cell.className = `${inStrip(app, strip)}${at === start ? " x-first" : ""}${at === end - 1 ? " x-last" : ""}`;
  if (at === start) {
    const room = 1.2 * tokens.slice(start, end).join(" ").length, over = end - start > 1 && room >= name.length + (mark ? 2 : 0);
    cell.append(make("span", { class: over ? "x-label x-over" : "x-label", title: hollow ? `${KINDS.missed}: ${shown(name)}` : null }, mark ? `${mark} ` : "", bdi(name)));
  }
  return cell;
}

const inStrip = (app, [, , label, , hollow]) => `x-cell x-in ${hollow ? "x-hollow" : app.look(label)}`;

// Where a text has nothing: within a strip, a part of it.
function gapOf(app, at, strips) {
  const strip = strips.find(([start, end]) => at > start && at < end);
  return make("span", { class: `${strip ? inStrip(app, strip) : "x-cell"} x-none` }, make("span", { class: "x-word" }, NOTHING));
}

// Blocks of [original start, end, attacked start, end, changed] from the stored edits, one token each where none is.
function blocksOf(length, edits) {
  const blocks = [];
  let at = 0, shift = 0;
  const same = (end) => { for (; at < end; at += 1) blocks.push([at, at + 1, at + shift, at + shift + 1, false]); };
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    same(edit.start);
    blocks.push([edit.start, edit.end, edit.start + shift, edit.start + shift + edit.new.length, true]);
    shift += edit.new.length - (edit.end - edit.start);
    at = edit.end;
  }
  same(length);
  return blocks;
}

function alignedView(app, sides, strips, edits) {
  const [old, now] = sides;
  const whole = direction(old.tokens), blocks = blocksOf(old.tokens.length, edits), box = make("div", { class: "x-aligned", dir: whole });
  const made = blocks.map(([a, b, c, d, changed]) => {
    const ranges = [[a, b], [c, d]], words = [[], []];
    if (changed && b - a === d - c) {
      for (let k = 0; k < b - a; k += 1) compared(old.tokens[a + k], now.tokens[c + k]).forEach((parts, side) => words[side].push(parts));
    } else ranges.forEach(([from, to], side) => { for (let k = from; k < to; k += 1) words[side].push(boxed(sides[side].tokens[k])); });
    const lines = ranges.map(([from], side) => {
      const cells = words[side].map((parts, k) => cellOf(app, parts, from + k, strips[side], sides[side].tokens));
      if (!cells.length) cells.push(gapOf(app, from, strips[side]));
      const way = wayOf(sides[side].tokens.slice(from, from + words[side].length)) || whole, against = way === whole ? "" : " x-against";
      return make("span", { class: `x-line ${side ? "x-attacked" : "x-original"}${strips[side].length ? " x-labelled" : ""}${against}`, dir: way }, ...cells.flatMap((cell) => [cell, " "]));
    });
    return make("span", { class: changed ? "x-block x-changed" : "x-block" }, ...lines);
  });
  const ways = blocks.map(([a, b, c, d]) => wayOf(old.tokens.slice(a, b)) || wayOf(now.tokens.slice(c, d)));
  box.append(...inOrder(made, ways, whole, (k) => old.tokens.slice(blocks[k][0], blocks[k][1]).some((token) => /^\p{N}/u.test(token))));
  return box;
}

// Elements in the order in which they are read: a stretch against the direction of the whole has its own.
function inOrder(elements, ways, whole, isNumber) {
  return stretches(ways, whole, isNumber).flatMap(([start, end, against]) => {
    const part = elements.slice(start, end).flatMap((element) => [element, " "]);
    return against && end - start > 1 ? [make("span", { class: "x-run", dir: whole === "rtl" ? "ltr" : "rtl" }, ...part), " "] : part;
  });
}

// Two paragraphs; mentions joined by numbers, what is gone struck, what is new underlined.
function stackedView(app, sides, strips, variant) {
  const changes = changedTokens(sides, variant.edits);
  return make("div", { class: "x-stacked" }, ...sides.flatMap((side, which) => {
    const numbers = numbersOf(side, which, variant), changed = changes[which];
    const cells = side.tokens.map((token, at) => {
      const content = boxed(token), wrapped = changed.has(at) ? [make(which ? "ins" : "del", {}, ...content)] : content;
      const span = side.gold.findIndex(([start]) => start === at), cell = cellOf(app, wrapped, at, strips[which], side.tokens);
      if (span >= 0 && numbers[span]) cell.firstChild.prepend(make("span", { class: "x-number" }, `${numbers[span]} `));
      return cell;
    });
    return [make("span", { class: "side" }, which ? "Attacked" : "Original"), paragraph(side.tokens, cells)];
  }));
}

function paragraph(tokens, cells) {
  const whole = direction(tokens);
  return make("p", { dir: whole }, ...inOrder(cells, tokens.map((token) => wayOf([token])), whole, (k) => /^\p{N}/u.test(tokens[k])));
}

// The number of each mention: that of the original's one that it comes from.
function numbersOf(side, which, variant) {
  if (!which) return side.gold.map((_, k) => circle(k));
  return side.gold.map((_, k) => { const from = variant.map.indexOf(k); return from < 0 ? "" : circle(from); });
}

function changedTokens(sides, edits) {
  const found = [new Set(), new Set()];
  if (edits) {
    for (const [a, b, c, d, changed] of blocksOf(sides[0].tokens.length, edits)) {
      for (let k = a; changed && k < b; k += 1) found[0].add(k);
      for (let k = c; changed && k < d; k += 1) found[1].add(k);
    }
    return found;
  }
  const kept = common(sides[0].tokens, sides[1].tokens);
  if (kept) kept.forEach((line, side) => line.forEach((one, at) => { if (!one) found[side].add(at); }));
  return found;
}

// Over half of the tokens stand where they stood, so that pairs of tokens can be read.
function alignable(old, edits) {
  if (!edits) return false;
  return 2 * edits.reduce((sum, edit) => sum + edit.end - edit.start, 0) <= old.length || old.length < 4;
}

const phrase = (tokens, span) => tokens.slice(span[0], span[1]).join(" ");

// Every mention with what each model made of it, before and after: the form that is read aloud and printed.
function mentionTable(app, i, s) {
  const { data } = app, variant = data.variant(i, s), old = data.gold(i), answered = data.models.map((_, m) => m).filter((m) => data.answered(i, s, m));
  const models = answered.map((m) => [false, true].map((after) => sideOf(data, i, s, m, after)));
  const fresh = variant.gold.map((_, k) => k).filter((k) => !variant.map.includes(k)), rows = [];
  const row = (before, after) => {
    const words = [before >= 0 ? phrase(data.tokens(i), old[before]) : NOTHING, after >= 0 ? phrase(variant.tokens, variant.gold[after]) : NOTHING];
    const label = before >= 0 ? old[before][2] : variant.gold[after][2];
    const text = words[0] === words[1] ? [bdi(words[0])] : [bdi(words[0]), " → ", bdi(words[1])];
    const number_ = before >= 0 ? `${circle(before)} ` : "";
    rows.push(make("tr", {}, make("th", { scope: "row" }, number_, ...text), make("td", {}, bdi(data.labels[label])), ...models.map((sides) => {
      const kinds = [before >= 0 ? sides[0].outcomes[before] : 4, after >= 0 ? sides[1].outcomes[after] : 4];
      const turn = KIND_TESTS.fell(...kinds) ? "fell" : KIND_TESTS.rose(...kinds) ? "rose" : kinds[1] === 0 ? "held" : "wrong";
      return make("td", { class: turn }, ...answer(data, sides[0], before, kinds[0]), " → ", ...answer(data, sides[1], after, kinds[1]));
    })));
  };
  old.forEach((_, k) => row(k, variant.map[k]));
  fresh.forEach((k) => row(-1, k));
  spuriousRows(data, models.map((sides) => sides[1])).forEach((one) => rows.push(one));
  if (!rows.length) return make("p", { class: "note" }, "No mention, neither gold nor found by a model.");
  const head = make("tr", {}, ...["Mention", "Label"].map((word) => make("th", { scope: "col" }, word)), ...answered.map((m) => make("th", { scope: "col" }, bdi(data.models[m].name))));
  const caption = make("caption", { class: "sr" }, `Mentions of ${shown(data.id(i))} under ${shown(data.sets[s].name)}`);
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Mentions" }, make("table", { class: "mentions" }, caption, make("thead", {}, head), make("tbody", {}, ...rows)));
}

function answer(data, side, k, kind) {
  if (kind === 4 || kind === undefined) return ["–"];
  const name = OUTCOMES[kind], said = side.said[k];
  if (kind === 0) return [MARKS.right];
  if (kind === 3 || !said) return [`${MARKS[name]} ${KINDS[name]}`];
  const where = kind === 2 ? ["[", bdi(phrase(side.tokens, said)), "] "] : [];
  return [`${MARKS[name]} ${KINDS[name]}: `, ...where, bdi(data.labels[said[2]])];
}

function spuriousRows(data, sides) {
  const found = new Map();
  sides.forEach((side, m) => side.spurious.forEach((span) => {
    const key = span.join(" ");
    if (!found.has(key)) found.set(key, [span, new Set()]);
    found.get(key)[1].add(m);
  }));
  return [...found.values()].sort(([a], [b]) => a[0] - b[0]).map(([span, models]) => make("tr", { class: "x-spurious" },
    make("th", { scope: "row" }, `${MARKS.spurious} spurious in the attacked text: `, bdi(phrase(sides[0].tokens, span))), make("td", {}, bdi(data.labels[span[2]])),
    ...sides.map((_, m) => make("td", { class: models.has(m) ? "wrong" : false }, models.has(m) ? `${MARKS.spurious} spurious` : "–"))));
}

// How the text was made: each edit with its source, or where a rewritten sentence came from.
function factsOf(data, i, s) {
  const facts = data.groups.map((name, g) => [name, data.group(i, g)]).filter(([, value]) => value).map(([name, value]) => [bdi(name), ": ", bdi(value)]);
  const status = data.status(i, s);
  if (status !== "changed") return [...facts, [bdi(statusWords(data, i, s))]];
  const { edits, source } = data.variant(i, s), tokens = data.tokens(i), words = (pairs) => pairs.flatMap(([key, value], k) => [k ? ", " : " (", bdi(key), " ", bdi(value)]).concat(pairs.length ? ")" : "");
  for (const edit of edits || []) {
    const was = tokens.slice(edit.start, edit.end).join(" ");
    facts.push([bdi(was || NOTHING), " → ", bdi(edit.new.join(" ") || NOTHING), ...words(edit.source.filter(([, value]) => value !== was))]);
  }
  if (!edits || source.length) facts.push(["rewritten", ...words(source)]);
  return facts;
}

// The two texts of a case in one layer, and whether they stand aligned.
function textsOf(app, i, s, layer, mode) {
  const { data } = app, sides = [sideOf(data, i, s, layer, false), sideOf(data, i, s, layer, true)];
  const strips = sides.map((side) => stripsOf(data, side, layer));
  if (data.status(i, s) === "discarded") return { view: stackedOne(sides[0], strips[0], app), aligned: null };
  const variant = data.variant(i, s), can = Boolean(variant.edits) || data.status(i, s) !== "changed";
  const edits = variant.edits || [], fit = can && alignable(sides[0].tokens, edits);
  const aligned = can && (mode ? mode === "aligned" : fit && !app.narrow());
  return { view: aligned ? alignedView(app, sides, strips, edits) : stackedView(app, sides, strips, { ...variant, edits: can ? edits : null }), aligned: can ? aligned : null };
}

function stackedOne(side, strips, app) {
  const cells = side.tokens.map((token, at) => cellOf(app, boxed(token), at, strips, side.tokens));
  return make("div", { class: "x-stacked" }, make("span", { class: "side" }, "Original"), paragraph(side.tokens, cells));
}
