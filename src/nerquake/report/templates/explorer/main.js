// The explorer: one state, shown in the filters, the list, the case and the address.
const byId = (id) => document.getElementById(id);

async function boot() {
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
  const app = { data, state: { ...DEFAULTS }, rows: [], at: -1, layerAt: -1, mode: "", letters: true, narrow: () => phone.matches };
  app.look = (label) => slots[data.labels[label]] || "plain";
  const list = makeList(byId("x-list"), (index) => { choose(index); if (phone.matches) full(true); });

  // ---- filters ----
  function refresh(state, { keep = false, write = true } = {}) {
    app.state = { ...state };
    const found = widened(data, app.state, select(data, app.state));
    app.rows = shortened(data, found.rows);
    list.fill(data, app.rows, Math.max(0, place(data.models, state.model)));
    showFilters(app, root, reset, change);
    byId("x-count").textContent = countWords(data, found, app.rows);
    notice(found.says ? [found.says] : []);
    byId("x-list").hidden = !app.rows.length;
    showEmpty(app, reset, change);
    const again = keep || state.id ? openOf(app) : 0;
    choose(Math.min(Math.max(again, 0), app.rows.length - 1), { write, still: false });
    return again;
  }
  const change = (keys) => refresh({ ...app.state, ...keys });
  const reset = () => { refresh({ ...DEFAULTS, id: app.state.id, at: app.state.at }); byId("x-list").focus(); };
  const notice = (parts) => byId("x-notice").replaceChildren(...parts);

  // ---- the open case ----
  function choose(index, { write = true, still = false } = {}) {
    app.at = index;
    list.show(index, still);
    if (index < 0) { byId("x-case").replaceChildren(); return; }
    const [i, s] = pairOf(data, app.rows[index]);
    if (write) {
      app.state.id = data.id(i);
      app.state.at = app.state.set ? "" : data.sets[s].name;
      app.link = writeHash(app.state);
    }
    app.drawCase();
  }
  app.drawCase = () => {
    const at = byId("x-case").contains(document.activeElement) ? document.activeElement.id : "";
    showCase(app, full);
    if (at && byId(at)) byId(at).focus();
  };
  function full(open) {
    root.classList.toggle("x-full", open);
    for (const other of document.querySelectorAll("body > nav, body > .skip, main > section:not(#sentences), .x-filters, .x-left")) other.inert = open;
    (open ? byId("x-case") : byId("x-list")).focus({ preventScroll: true });
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
    if (!root.classList.contains("x-full")) { root.scrollIntoView({ block: "nearest" }); byId("x-list").focus({ preventScroll: true }); }
  };
  app.sentence = (by) => {
    const now = Math.floor(app.rows[app.at] / data.sets.length);
    let at = app.at;
    while (app.rows[at] !== undefined && Math.floor(app.rows[at] / data.sets.length) === now) at += by;
    if (app.rows[at] !== undefined) app.move(at - app.at);
  };
  app.otherSet = (by) => {
    if (app.at < 0) return;
    const [i, s] = pairOf(data, app.rows[app.at]), next = s + by;
    if (next < 0 || next >= data.sets.length || !data.status(i, next)) { app.say("No other set on this side."); return; }
    const wanted = { ...app.state, set: app.state.set && data.sets[next].name, id: data.id(i), at: app.state.set ? "" : data.sets[next].name };
    if (refresh(wanted) >= 0) return;
    refresh({ ...DEFAULTS, model: wanted.model, set: wanted.set, kind: "all", id: wanted.id, at: wanted.at });
    notice([`Filters removed: they hide this sentence under ${shown(data.sets[next].name)}.`]);
  };
  app.layer = (m) => { if (m < data.models.length) { app.layerAt = m; app.drawCase(); } };
  app.stack = () => { app.mode = textsOf(app, ...pairOf(data, app.rows[app.at]), app.layerAt, app.mode).aligned ? "stacked" : "aligned"; app.drawCase(); };
  app.field = (id) => { byId("x-filters").open = true; byId(id).focus(); };
  app.enter = () => { if (app.at < 0) return; if (phone.matches) full(true); else byId("x-case").focus(); };
  app.leave = () => { if (root.classList.contains("x-full")) full(false); else if (root.contains(document.activeElement)) byId("x-list").focus(); };
  app.copy = () => copyText(app.link || location.href).then((done) => app.say(done ? "Link copied." : app.link));

  // ---- links ----
  function obey(first) {
    const state = readHash();
    if (!state) { if (first) refresh(app.state, { write: false }); return; }
    const unknown = [["set", data.sets, "set"], ["model", data.models, "model"]].filter(([key, names]) => state[key] && place(names, state[key]) < 0);
    for (const [key] of unknown) state[key] = DEFAULTS[key];
    if (state.id && !idsOf(data, state.id).length) {
      refresh({ ...state, id: "" }, { write: false });
      notice([`No sentence ${shown(state.id)} in this report (${plural(data.n, "sentence")}).`]);
    } else if (refresh(state, { write: false }) < 0 && state.id) {
      choose(-1);
      const back = { ...DEFAULTS, model: state.model, kind: "all", id: state.id, at: state.at };
      notice([`Sentence ${shown(state.id)} does not match the filters of this link. `, make("button", { type: "button", click: () => refresh(back) }, "Reset filters"), " to see it."]);
    } else if (unknown.length) notice([`No ${unknown[0][2]} ${shown(new URLSearchParams(location.hash.slice(1)).get(unknown[0][0]))} in this report.`]);
    app.link = location.href;
    root.scrollIntoView({ block: "start" });
    byId("x-list").focus({ preventScroll: true });
    if (state.id && app.at >= 0 && phone.matches) full(true);
  }
  addEventListener("hashchange", () => obey(false));
  fillFilters(app, change);
  fillHelp(app);
  listenToKeys(app);
  byId("help").hidden = false;
  byId("help").addEventListener("click", toggleHelp);
  obey(true);
}

const pairOf = (data, row) => [Math.floor(row / data.sets.length), row % data.sets.length];

function idsOf(data, id) {
  const found = [];
  for (let i = 0; i < data.n; i += 1) if (data.id(i) === id) found.push(i);
  return found;
}

// The row of the sentence that the state names: under its set, else under any; -1 where the filters hide it.
function openOf(app) {
  const { data, state, rows } = app, wanted = new Set(idsOf(data, state.id));
  const mine = rows.findIndex((row) => wanted.has(pairOf(data, row)[0]) && data.sets[pairOf(data, row)[1]].name === state.at);
  return mine >= 0 || (state.at && !state.set && place(data.sets, state.at) >= 0) ? mine : rows.findIndex((row) => wanted.has(pairOf(data, row)[0]));
}

// Where nothing fell and nothing else narrows the list, all changed sentences; where nothing changed, all.
function widened(data, state, found) {
  const others = ["label", "group", "since", "q", ...ASKS].some((key) => state[key]);
  if (found.rows.length || state.kind !== "fell" || others) return found;
  const all = select(data, { ...state, kind: "all" }), changed = all.rows.filter((row) => data.status(...pairOf(data, row)) === "changed");
  if (changed.length) return { rows: changed, mentions: null, says: `No mention fell under ${state.set ? "this" : "any"} set. Shown: all changed sentences.` };
  const reasons = new Map();
  for (const row of all.rows) { const why = data.reason(...pairOf(data, row)); if (why) reasons.set(why, (reasons.get(why) || 0) + 1); }
  const most = [...reasons].sort((a, b) => b[1] - a[1]).map(([why, times]) => `${shown(why)} (${plural(times, "sentence")})`).join(", ");
  return { ...all, mentions: null, says: `${shown(state.set) || "No set"} changed ${state.set ? "no" : "a"} sentence${most ? `: ${most}` : ""}.` };
}

// Over so many cases a browser cannot make the list high enough: then one row for each sentence, its first case.
function shortened(data, rows) {
  return rows.length <= MOST_CASES ? rows : rows.filter((row, k) => !k || pairOf(data, row)[0] !== pairOf(data, rows[k - 1])[0]);
}

function countWords(data, found, rows) {
  const all = `${number(found.rows.length)} of ${plural(data.header.cases.kept, "case")}`;
  const mentions = found.mentions === null ? "" : ` · ${plural(found.mentions, "mention")}`;
  return all + mentions + (rows.length < found.rows.length ? " · one row a sentence, [ and ] go to its other sets" : "");
}

function fillFilters(app, change) {
  const { data } = app, option = (value, words) => make("option", { value }, shown(words));
  const sinces = Object.entries(SINCE).filter(([, [, bit]]) => data.sets.some((_, s) => data.models.some((__, m) => data.flags(s, m).some((flags) => flags & bit))));
  const choices = {
    "x-set": [["", "all sets"], ...data.sets.map(({ name }) => [name, name])], "x-model": data.models.map(({ name }) => [name, name]),
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
    for (let i = 0; i < data.n && values.size < 200; i += 1) if (data.group(i, g)) values.add(data.group(i, g));
    byId("x-group").append(make("optgroup", { label: shown(group) }, ...[...values].sort().map((value) => option(JSON.stringify([group, value]), value))));
  });
  byId("x-group").addEventListener("change", () => { const [group, value] = JSON.parse(byId("x-group").value || '["",""]'); change({ group, value }); });
  byId("x-group").parentElement.hidden = !data.groups.length;
  let timer = 0;
  byId("x-q").addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => change({ q: byId("x-q").value }), 150); });
  byId("x-form").addEventListener("submit", (event) => event.preventDefault());
}

// The controls as the state has them, and the filters in words, each with its cross.
function showFilters(app, root, reset, change) {
  const { state } = app, used = filtersOf(state);
  for (const key of ["set", "model", "kind", "label", "since"]) byId(`x-${key}`).value = state[key];
  byId("x-group").value = state.group ? JSON.stringify([state.group, state.value]) : "";
  if (document.activeElement !== byId("x-q")) byId("x-q").value = state.q;
  byId("x-filters").firstElementChild.textContent = `Filters (${used.length})`;
  const chips = used.map(([keys, words]) => make("button", {
    type: "button", class: "x-chip", "aria-label": `Remove filter: ${shown(words)}`, click: () => { change(Object.fromEntries(keys.map((key) => [key, key === "kind" ? "all" : ""]))); byId("x-list").focus(); },
  }, bdi(words), make("span", { "aria-hidden": "true" }, " ✕")));
  byId("x-chips").replaceChildren(...chips, make("button", { type: "button", class: "x-reset", click: reset }, "Reset"));
}

// What to do where nothing matches: the filters of which one alone would still match something.
function showEmpty(app, reset, change) {
  const box = byId("x-empty"), { data, state } = app;
  box.hidden = app.rows.length > 0;
  if (!box.hidden) {
    const blank = { ...DEFAULTS, model: state.model, kind: "all" };
    const alone = filtersOf(state).filter(([keys]) => select(data, { ...blank, ...Object.fromEntries(keys.map((key) => [key, state[key]])) }).rows.length);
    box.replaceChildren(make("p", {}, "No case matches. Remove a filter, or press Reset."), ...(alone.length > 0 && filtersOf(state).length > 1
      ? [make("p", {}, "Alone, these would still match something: ", ...alone.flatMap(([, words], k) => [k ? ", " : "", bdi(words)]), ".")] : []),
    make("button", { type: "button", click: reset }, "Reset"));
  }
}

// The case in its box: heading, buttons, both texts, mentions, facts.
function showCase(app, full) {
  const { data } = app, [i, s] = pairOf(data, app.rows[app.at]), box = byId("x-case");
  const { view, aligned } = textsOf(app, i, s, app.layerAt, app.mode);
  const button = (id, words, click, pressed) => make("button", { type: "button", id, click, "aria-pressed": pressed === undefined ? null : String(pressed) }, words);
  const layers = ["Gold", ...data.models.map(({ name }) => name)].map((name, k) => button(`x-layer-${k}`, bdi(name), () => app.layer(k - 1), app.layerAt === k - 1));
  box.replaceChildren(
    make("div", { class: "x-title" }, button("x-back", "← List", () => full(false)), make("h3", { id: "x-heading" }, bdi(data.id(i)), " · ", bdi(data.sets[s].name)),
      make("span", { class: "x-place" }, `case ${number(app.at + 1)} of ${number(app.rows.length)}`)),
    make("div", { class: "x-tools" }, make("span", { class: "x-group", role: "group", "aria-label": "Marked in the text" }, ...layers),
      aligned === null ? "" : button("x-stack", aligned ? "stacked" : "aligned", () => app.stack()),
      button("x-prev", "Previous", () => app.move(-1)), button("x-next", "Next", () => app.move(1)), button("x-copy", "Copy link", () => app.copy())),
    view,
    data.status(i, s) === "discarded" ? "" : mentionTable(app, i, s),
    make("ul", { class: "x-facts" }, ...factsOf(data, i, s).map(([words]) => make("li", {}, bdi(words)))),
  );
  box.scrollTop = 0;
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
