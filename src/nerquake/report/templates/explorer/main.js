// The explorer: one state, shown in the filters, the list, the case and the address.
const byId = (id) => document.getElementById(id);
const MOST_VALUES = 1000;  // of a group, in the list of its values

async function boot() {
  try { await show(); } finally {
    requestAnimationFrame(() => setTimeout(() => document.documentElement.classList.remove("loading"), 0));
  }
}

async function show() {
  const root = byId("explorer"), island = byId("data"), note = byId("explorer-note");
  if (!root || typeof DecompressionStream === "undefined") return;
  let data;
  try {
    if (!island) throw new Error("it is missing");
    data = await decodeIsland(island.textContent);
  } catch (error) {
    const size = number(Number(root.dataset.bytes));
    note.textContent = `The sentence data could not be read: ${error.message}. The file may have been cut short; its size should be ${size} bytes.`;
    return;
  }
  note.remove();
  root.hidden = false;
  start(root, data);
  document.documentElement.dataset.ready = "1";
}

function start(root, data) {
  const slots = JSON.parse(root.dataset.slots), phone = matchMedia("(max-width: 640px)");
  DEFAULTS.model = data.models.length ? data.models[0].name : "";
  const app = { data, state: { ...DEFAULTS }, rows: [], at: -1, layerAt: -1, mode: "", letters: true, typing: 0, narrow: () => phone.matches };
  app.look = (label) => own(slots, data.labels[label]) || "plain";
  const list = makeList(byId("x-list"), (index) => { choose(index); if (phone.matches) full(true); });

  // ---- filters ----
  function refresh(state, { write = true } = {}) {
    app.state = { ...state };
    const found = widened(data, app.state, select(data, app.state));
    app.rows = shortened(data, found.rows, app.state, Number(root.dataset.most));
    list.fill(data, app.rows, Math.max(0, place(data.models, state.model)));
    showFilters(app, root, reset, change);
    byId("x-count").textContent = countWords(data, found, app.rows);
    notice(found.says ? [found.says] : []);
    byId("x-list").hidden = !app.rows.length;
    showEmpty(app, reset, change);
    const again = state.id ? openOf(app) : 0;
    choose(Math.min(Math.max(again, 0), app.rows.length - 1), { write });
    return again;
  }
  const change = (keys) => refresh({ ...app.state, ...keys });
  const reset = () => { const { id, at, audit } = app.state; refresh({ ...DEFAULTS, id, at, audit }); toList(); };
  const notice = (parts) => refill(byId("x-notice"), ...parts);

  // ---- the open case ----
  function choose(index, { write = true } = {}) {
    app.at = index;
    list.show(index);
    if (index < 0) refill(byId("x-case"));
    if (write) {
      if (index >= 0) Object.assign(app.state, openNow());
      writeHash(index >= 0 ? app.state : { ...app.state, id: "", at: "", audit: "" });
    }
    app.drawCase();
  }
  const openNow = () => {
    const [i, s] = pairOf(data, app.rows[app.at]), { name, audit } = data.sets[s];
    return { id: data.id(i), at: app.state.set ? "" : name, audit: audit || "" };
  };
  const inCase = () => byId("x-case").contains(document.activeElement);
  app.drawCase = () => {
    if (app.at < 0) return;
    const inside = inCase(), { id } = document.activeElement;
    showCase(app, full);
    if (inside) ((id && byId(id)) || byId("x-case")).focus({ preventScroll: true });
  };
  function full(open) {
    root.classList.toggle("x-full", open);
    for (const other of document.querySelectorAll("body > nav, body > .skip, main > section:not(#sentences), .x-filters, .x-above, #x-notice, .x-left")) other.inert = open;
    if (open) byId("x-case").focus({ preventScroll: true }); else toList();
  }
  phone.addEventListener("change", () => { if (root.classList.contains("x-full")) full(false); byId("x-filters").open = !phone.matches; if (app.at >= 0) app.drawCase(); });
  byId("x-filters").open = !phone.matches;

  // ---- what keys and buttons do ----
  let timer = 0;
  app.say = (words, time = 2500) => {
    const toast = byId("x-toast");
    toast.textContent = words;
    clearTimeout(timer);
    timer = setTimeout(() => { toast.textContent = ""; }, time);
  };
  app.move = (by) => {
    if (!app.rows.length) return;
    choose(Math.min(app.rows.length - 1, Math.max(0, app.at + by)));
    if (!root.classList.contains("x-full") && !inCase()) { root.scrollIntoView({ block: "nearest" }); toList(); }
  };
  app.sentence = (by) => {
    const of = (at) => (at in app.rows ? pairOf(data, app.rows[at])[0] : -1);
    let at = app.at;
    while (of(at) === of(app.at) && at in app.rows) at += by;
    if (!(at in app.rows) || app.at < 0) return;
    while (of(at - 1) === of(at)) at -= 1;
    const [, s] = pairOf(data, app.rows[app.at]), [i] = pairOf(data, app.rows[at]), same = app.rows.indexOf(i * data.sets.length + s, at);
    app.move((same >= 0 ? same : at) - app.at);  // under the set that is open, where it is there
  };
  app.otherSet = (by) => {
    if (app.at < 0) return;
    const [i, s] = pairOf(data, app.rows[app.at]);
    let next = s + by;
    while (next in data.sets && !data.status(i, next)) next += by;
    if (!(next in data.sets)) { app.say("No other set on this side."); return; }
    const place_ = app.state.set ? -1 : app.rows.indexOf(i * data.sets.length + next);
    if (place_ >= 0) { choose(place_); return; }
    const { name, audit } = data.sets[next], set = app.state.set && name, open = { id: data.id(i), at: set ? "" : name, audit: audit || "" };
    if (refresh({ ...app.state, set, ...open }) >= 0) return;
    refresh({ ...DEFAULTS, model: app.state.model, set, kind: "all", ...open });
    const words = `Filters removed: they hide this sentence under ${shown(name)}.`;
    notice([words]);
    if (root.classList.contains("x-full")) app.say(words, 4000);
  };
  app.layer = (m) => {
    if (m >= data.models.length) return;
    if (m >= 0 && app.at >= 0 && data.predicted(pairOf(data, app.rows[app.at])[0], m) === null) { app.say(`No answer of ${shown(data.models[m].name)} for this sentence.`); return; }
    app.layerAt = m;
    app.drawCase();
  };
  app.stack = () => { if (app.at < 0) return; app.mode = textsOf(app, ...pairOf(data, app.rows[app.at]), -1, app.mode).aligned ? "stacked" : "aligned"; app.drawCase(); };
  app.field = (id) => { byId("x-filters").open = true; byId(id).focus(); };
  app.enter = () => { if (app.at < 0) return; if (phone.matches) full(true); else byId("x-case").focus(); };
  app.leave = () => { if (root.classList.contains("x-full")) full(false); else if (root.contains(document.activeElement)) toList(); };
  app.copy = () => {
    putHash();
    const link = app.at < 0 ? location.href : linkOf({ ...app.state, ...openNow() });
    return copyText(link).then((done) => app.say(done ? "Link copied." : link));
  };

  // ---- links ----
  function obey(first) {
    address.seen = location.hash;
    const state = readHash(), known = { set: data.sets.map(nameOf), model: data.models.map(nameOf), kind: Object.keys(KINDS), since: ["", ...Object.keys(SINCE)] };
    if (root.classList.contains("x-full") && (!state || !state.id)) full(false);
    if (!state) { if (first || !location.hash) refresh({ ...DEFAULTS }, { write: false }); return; }
    const unknown = Object.keys(known).filter((key) => state[key] && !known[key].includes(state[key])).map((key) => [key, shown(state[key])]);
    for (const [key] of unknown) state[key] = DEFAULTS[key];
    if (state.id && !idsOf(data, state.id).length) {
      refresh({ ...state, id: "" }, { write: false });
      notice([`No sentence ${shown(state.id)} in this ${data.header.cases.kept < data.header.cases.all ? "page" : "report"} (${plural(data.n, "sentence")}).`]);
    } else if (refresh(state, { write: false }) < 0 && state.id) {
      choose(-1, { write: false });
      const back = { ...DEFAULTS, model: state.model, kind: "all", id: state.id, at: state.at, audit: state.audit };
      notice([`Sentence ${shown(state.id)} does not match the filters of this link. `, make("button", { type: "button", click: () => refresh(back) }, "Reset filters"), " to see it."]);
    } else if (unknown.length) notice([unknown.map(([key, name]) => (key === "set" || key === "model" ? `No ${key} ${name} in this report.` : `“${name}” is no filter of this report.`)).join(" ")]);
    root.scrollIntoView({ block: "start" });
    toList();
    if (state.id && app.at >= 0 && phone.matches) full(true);
  }
  // A link is obeyed before the next key or click, which can come before the browser tells of it.
  function arrive() {
    if (location.hash === address.seen) return;
    forgetHash();
    clearTimeout(app.typing);
    byId("x-q").blur();
    obey(false);
  }
  for (const event of ["hashchange", "keydown", "click"]) addEventListener(event, arrive, true);
  fillFilters(app, change);
  fillHelp(app);
  listenToKeys(app);
  byId("help").hidden = false;
  byId("help").addEventListener("click", toggleHelp);
  obey(true);
}

// The focus to the list, or to the way out where it is empty.
function toList() {
  (byId("x-list").hidden ? byId("x-empty").querySelector("button") : byId("x-list")).focus({ preventScroll: true });
}

const nameOf = ({ name }) => name;
const pairOf = (data, row) => [Math.floor(row / data.sets.length), row % data.sets.length];

function idsOf(data, id) {
  const found = [];
  for (let i = 0; i < data.n; i += 1) if (data.id(i) === id) found.push(i);
  return found;
}

// The row of the sentence that the state names: under its set, else under any; -1 where the filters hide it.
function openOf(app) {
  const { data, state, rows } = app, wanted = new Set(idsOf(data, state.id));
  const audit = data.sets.some((set) => set.audit === state.audit) ? state.audit : "";
  const find = (test) => rows.findIndex((row) => {
    const [i, s] = pairOf(data, row), set = data.sets[s];
    return wanted.has(i) && (!audit || set.audit === audit) && test(set);
  });
  const mine = find((set) => set.name === state.at);
  return mine >= 0 || (state.at && !state.set && place(data.sets, state.at) >= 0) ? mine : find(() => true);
}

// Where nothing fell and nothing else narrows the list, all changed sentences; where nothing changed, all.
function widened(data, state, found) {
  const others = ["label", "group", "since", "status", "q", ...ASKS].some((key) => state[key]);
  if (found.rows.length || state.kind !== "fell" || others) return found;
  const all = select(data, { ...state, kind: "all" }), changed = all.rows.filter((row) => data.status(...pairOf(data, row)) === "changed");
  if (changed.length) return { rows: changed, mentions: null, says: `No mention fell under ${state.set ? "this" : "any"} set. Shown: all changed sentences.` };
  const reasons = new Map();
  for (const row of all.rows) { const why = data.reason(...pairOf(data, row)); if (why) reasons.set(why, (reasons.get(why) || 0) + 1); }
  const most = [...reasons].sort((a, b) => b[1] - a[1]).map(([why, times]) => `${shown(why)} (${plural(times, "sentence")})`).join(", ");
  return { ...all, mentions: null, says: `${shown(state.set) || "No set"} changed ${state.set ? "no" : "a"} sentence${most ? `: ${most}` : ""}.` };
}

// Over so many cases a browser cannot make the list high enough: then one row for each sentence, its first case or the
// one that is open.
function shortened(data, rows, state, most) {
  if (rows.length <= most) return rows;
  const found = [];
  let last = -1;
  for (const row of rows) {
    const [i, s] = pairOf(data, row);
    if (i !== last) found.push(row);
    else if (data.sets[s].name === state.at && data.id(i) === state.id) found[found.length - 1] = row;
    last = i;
  }
  return found;
}

function countWords(data, found, rows) {
  const all = `${number(found.rows.length)} of ${plural(data.header.cases.kept, "case")}${heldWords(data)}`;
  const mentions = found.mentions === null ? "" : ` · ${plural(found.mentions, "mention")}`;
  return all + mentions + (rows.length < found.rows.length ? " · one row a sentence, [ and ] go to its other sets" : "");
}

// What the page was asked to leave out (--cases), where it was: figures count all of it.
function heldWords(data) {
  const { all, kept } = data.header.cases;
  return kept < all ? ` in this page, which leaves out ${number(all - kept)}` : "";
}

function fillFilters(app, change) {
  const { data } = app, option = (value, words) => make("option", { value }, shown(words));
  const sinces = Object.entries(SINCE).filter(([, [, bit]]) => data.sets.some((_, s) => data.models.some((__, m) => data.flags(s, m).some((flags) => flags & bit))));
  const choices = {
    "x-set": [["", "all sets"], ...[...new Set(data.sets.map(nameOf))].map((name) => [name, name])], "x-model": data.models.map(({ name }) => [name, name]),
    "x-kind": Object.entries(KINDS), "x-label": [["", "all labels"], ...data.labels.map((label) => [label, label])],
    "x-since": sinces.length ? [["", "all"], ...sinces.map(([key, [words]]) => [key, words])] : [],
  };
  for (const [id, options] of Object.entries(choices)) {
    byId(id).append(...options.map(([value, words]) => option(value, words)));
    byId(id).addEventListener("change", () => change({ [id.slice(2)]: byId(id).value }));
    byId(id).parentElement.hidden = !options.length;
  }
  data.groups.forEach((group, g) => {
    const values = new Set();
    for (let i = 0; i < data.n; i += 1) if (data.group(i, g)) values.add(data.group(i, g));
    const all = [...values].sort(), options = all.slice(0, MOST_VALUES).map((value) => option(JSON.stringify([group, value]), value));
    const rest = all.length > MOST_VALUES ? make("option", { disabled: true }, `… and ${number(all.length - MOST_VALUES)} more`) : "";
    byId("x-group").append(make("optgroup", { label: shown(group) }, ...options, rest));
  });
  byId("x-group").addEventListener("change", () => { const [group, value] = JSON.parse(byId("x-group").value || '["",""]'); change({ group, value }); });
  byId("x-group").parentElement.hidden = !data.groups.length;
  const search = () => { clearTimeout(app.typing); change({ q: byId("x-q").value }); };
  byId("x-q").addEventListener("input", () => { clearTimeout(app.typing); app.typing = setTimeout(search, 150); });
  byId("x-form").addEventListener("submit", (event) => { event.preventDefault(); search(); });
}

// A list shows also a value that only a link can name.
function showChoice(id, value, words) {
  const list = byId(id);
  list.value = value;
  if (list.value !== value) { list.append(make("option", { value }, shown(words))); list.value = value; }
}

// The controls as the state has them, and the filters in words, each with its cross.
function showFilters(app, root, reset, change) {
  const { state } = app, used = filtersOf(state);
  for (const key of ["set", "model", "kind", "label", "since"]) showChoice(`x-${key}`, state[key], state[key]);
  showChoice("x-group", state.group ? JSON.stringify([state.group, state.value]) : "", `${state.group}: ${state.value}`);
  if (document.activeElement !== byId("x-q")) byId("x-q").value = state.q;
  byId("x-filters").firstElementChild.textContent = `Filters (${used.length})`;
  const chips = used.map(([keys, words]) => make("button", {
    type: "button", class: "x-chip", "aria-label": `Remove filter: ${shown(words)}`, click: () => { change(Object.fromEntries(keys.map((key) => [key, key === "kind" ? "all" : DEFAULTS[key]]))); toList(); },
  }, bdi(words), make("span", { "aria-hidden": "true" }, " ✕")));
  refill(byId("x-chips"), ...chips, make("button", { type: "button", class: "x-reset", click: reset }, "Reset"));
}

// What to do where nothing matches: the filters of which one alone would still match something.
function showEmpty(app, reset, change) {
  const box = byId("x-empty"), { data, state } = app;
  box.hidden = app.rows.length > 0;
  if (!box.hidden) {
    const blank = { ...DEFAULTS, model: state.model, kind: "all", text: state.text };  // the text is part of what others ask
    const used = filtersOf(state).filter(([[key]]) => key !== "model");
    const alone = used.filter(([keys]) => select(data, { ...blank, ...Object.fromEntries(keys.map((key) => [key, state[key]])) }).rows.length);
    refill(box, make("p", {}, "No case matches. Remove a filter, or press Reset."), ...(alone.length > 0 && used.length > 1
      ? [make("p", {}, "Alone, these would still match something: ", ...alone.flatMap(([, words], k) => [k ? ", " : "", bdi(words)]), ".")] : []),
    make("button", { type: "button", click: reset }, "Reset"));
  }
}

// The case in its box: heading, buttons, both texts, mentions, facts.
function showCase(app, full) {
  const { data } = app, [i, s] = pairOf(data, app.rows[app.at]), box = byId("x-case");
  const silent = (m) => m >= 0 && data.predicted(i, m) === null, layer = silent(app.layerAt) ? -1 : app.layerAt, { name: set, audit } = data.sets[s];
  const { view, aligned } = textsOf(app, i, s, layer, app.mode);
  const button = (id, words, click, more) => make("button", { type: "button", id, click, ...more }, words);
  const layers = ["Gold", ...data.models.map(nameOf)].map((name, k) => button(`x-layer-${k}`, bdi(name), () => app.layer(k - 1), {
    "aria-pressed": String(layer === k - 1), disabled: silent(k - 1), title: silent(k - 1) ? "No answer for this sentence" : null,
  }));
  const slid = box.querySelector(".x-group") ? box.querySelector(".x-group").scrollLeft : 0;
  refill(box,
    make("div", { class: "x-title" }, button("x-back", "← List", () => full(false)), make("h3", { id: "x-heading" }, bdi(data.id(i)), " · ", bdi(set), ...(audit ? [" · ", bdi(audit)] : [])),
      make("span", { class: "x-place" }, `case ${number(app.at + 1)} of ${number(app.rows.length)}`)),
    make("div", { class: "x-tools" }, make("span", { class: "x-group", role: "group", "aria-label": "Marked in the text" }, ...layers),
      make("span", { class: "x-acts" }, aligned === null ? "" : button("x-stack", aligned ? "stacked" : "aligned", () => app.stack()),
        button("x-prev", "Previous", () => app.move(-1)), button("x-next", "Next", () => app.move(1)), button("x-copy", "Copy link", () => app.copy()))),
    view,
    data.status(i, s) === "discarded" ? "" : mentionTable(app, i, s),
    make("ul", { class: "x-facts" }, ...factsOf(data, i, s).map((words) => make("li", {}, ...words))));
  box.scrollTop = 0;
  showLayer(box.querySelector(".x-group"), slid);
}

// On a phone the layers stand in one line: the chosen one stays in sight.
function showLayer(group, slid) {
  const chosen = group.querySelector("[aria-pressed=true]"), left = chosen.offsetLeft, right = left + chosen.offsetWidth;
  group.scrollLeft = Math.min(left, Math.max(slid, right - group.clientWidth));
}

async function copyText(text) {
  try { await navigator.clipboard.writeText(text); return true; } catch (error) { /* no clipboard: the old way */ }
  const field = make("textarea", { class: "sr", "aria-hidden": "true" }), before = document.activeElement;
  field.value = text;
  document.body.append(field);
  field.select();
  let done = false;
  try { done = document.execCommand("copy"); } catch (error) { done = false; }
  field.remove();
  if (before) before.focus();
  return done;
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", boot); else boot();
