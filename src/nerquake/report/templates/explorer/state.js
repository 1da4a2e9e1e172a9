// What is shown, and its form in the address: names, never indexes, so that a link outlives its report.
const DEFAULTS = {
  set: "", model: "", kind: "fell", label: "", group: "", value: "", since: "",  // the filters
  // Filters of mentions that only links set: outcomes of one that stands in both texts; in one text its outcome, what
  // it was taken for and how many tokens differ; whether it was replaced; under which other sets it fails.
  was: "", now: "", text: "", met: "", said: "", d: "", part: "", also: "", under: "",
  status: "",  // what the attack did to the sentence
  q: "", id: "", at: "", audit: "",  // search; the open sentence, its set where no filter says it, its audit of several
};
const KINDS = {
  fell: "fell", rose: "rose", type: "wrong type", boundary: "wrong boundary", missed: "missed", spurious: "spurious",
  all: "all",
};
const BITS = { fell: 1, rose: 2, type: 4, boundary: 8, missed: 16, spurious: 32 };
const SINCE = { fallen: ["newly fallen", 64], recovered: ["recovered", 128] };
const OUTCOMES = ["right", "type", "boundary", "missed", "gone"];
const OUTCOME_WORDS = { right: "right", type: "wrong type", boundary: "wrong boundary", missed: "missed", wrong: "wrong", any: "there" };
const MARKS = { right: "✓", type: "◆", boundary: "◧", missed: "○", spurious: "+", rose: "▲" };

// A hash with "=" is a state, one without is a section of the page: then null.
function readHash() {
  const text = location.hash.slice(1);
  if (!text.includes("=")) return null;
  const params = new URLSearchParams(text), state = { ...DEFAULTS };
  for (const key of Object.keys(DEFAULTS)) if (params.has(key)) state[key] = params.get(key);
  return state;
}

// The state as a hash. Keys that are not ours stay, and what is as it always is stands nowhere.
function hashOf(state) {
  const was = location.hash.slice(1), params = new URLSearchParams(was.includes("=") ? was : "");
  for (const [key, value] of Object.entries(state)) {
    if (value === DEFAULTS[key]) params.delete(key); else params.set(key, value);
  }
  return "#" + (params.toString() || `kind=${state.kind}`);
}

// Browsers refuse an address that changes too often (Safari: 100 times in 30 seconds): past that it waits for a rest.
const OFTEN = 80, WINDOW = 30000, REST = 400;
const address = { times: [], hash: null, timer: 0, seen: location.hash };

function writeHash(state) {
  const now = Date.now();
  forgetHash();
  address.hash = hashOf(state);
  address.times = address.times.filter((time) => now - time < WINDOW);
  if (address.times.length < OFTEN) putHash(); else address.timer = setTimeout(putHash, REST);
}

function putHash() {
  if (address.hash === null) return;
  address.times.push(Date.now());
  try { history.replaceState(null, "", address.hash); } catch (error) { /* a sandboxed frame keeps its address */ }
  address.seen = location.hash;
  forgetHash();
}

function forgetHash() {
  clearTimeout(address.timer);
  address.hash = null;
}

const linkOf = (state) => location.href.split("#")[0] + hashOf(state);

// The filters in use, each as [keys that it sets, words].
function filtersOf(state) {
  const found = [], text = `in the ${state.text || "attacked"} text`, outcome = (name) => own(OUTCOME_WORDS, name) || name;
  const add = (used, keys, words) => { if (used) found.push([keys, words]); };
  add(state.kind !== "all", ["kind"], own(KINDS, state.kind) || state.kind);
  add(state.model !== DEFAULTS.model, ["model"], state.model);
  add(state.was, ["was"], `before: ${outcome(state.was)}`);
  add(state.now, ["now"], `after: ${outcome(state.now)}`);
  add(state.set, ["set"], state.set);
  add(state.also, ["also"], `also under ${state.also}`);
  add(state.under, ["under"], underWords(state.under));
  add(state.label, ["label"], state.label);
  add(state.met, ["met"], `${outcome(state.met)} ${text}`);
  add(state.said, ["said"], `taken for ${state.said} ${text}`);
  add(state.d, ["d"], `${state.d === "none" ? "no prediction" : `${state.d.replace(" ", " type, d = ")}`} ${text}`);
  add(state.part, ["part"], state.part === "left" ? "left alone" : state.part);
  add(state.text && !state.met && !state.said && !state.d, ["text"], text);
  add(state.group, ["group", "value"], `${state.group}: ${state.value}`);
  add(state.status, ["status"], `sentences: ${state.status.replace("-", " ")}`);
  add(state.since, ["since"], (own(SINCE, state.since) || [state.since])[0]);
  add(state.q.trim(), ["q"], `“${state.q}”`);
  return found;
}

// `under` is JSON: [the sets under which a mention fails, all sets that are looked at].
function underOf(text) {
  try {
    const [fails, all] = JSON.parse(text);
    return { fails: fails.map(String), all: all.map(String) };
  } catch (error) { return { fails: [], all: [] }; }
}

function underWords(text) {
  const { fails } = underOf(text);
  return fails.length ? `fails under exactly ${fails.join(", ")}` : "fails under no set";
}

// What the browser keeps for this report alone: all local files share one storage.
function remembered(print, key, value) {
  try {
    if (value === undefined) return localStorage.getItem(`nerquake-${print}-${key}`);
    localStorage.setItem(`nerquake-${print}-${key}`, value);
  } catch (error) { /* without storage the choice lasts until the page is closed */ }
  return null;
}
