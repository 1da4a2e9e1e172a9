// Which cases the filters leave. A case is a sentence under a set, numbered sentence * sets + set, in the file's order.
const place = (list, name) => list.findIndex((one) => one.name === name);

function select(data, state) {
  const model = Math.max(0, place(data.models, state.model));
  const sets = data.sets.map((_, s) => s).filter((s) => !state.set || data.sets[s].name === state.set);
  const bits = (state.text === "original" ? 0 : own(BITS, state.kind) || 0) | (own(SINCE, state.since) || ["", 0])[1];
  const flags = sets.map((s) => data.flags(s, model));
  const hits = state.q.trim() ? sets.map((s) => data.search(state.q, s)) : null;
  const column = data.groups.indexOf(state.group), counts = counter(data, state, model);
  const rows = [];
  let mentions = counts ? 0 : null;
  for (let i = 0; i < data.n; i += 1) {
    if (state.group && (column < 0 || data.group(i, column) !== state.value)) continue;
    for (let k = 0; k < sets.length; k += 1) {
      if ((flags[k][i] & bits) !== bits || (hits && !hits[k][i]) || !data.status(i, sets[k])) continue;
      if (state.status && data.status(i, sets[k]) !== state.status) continue;
      const found = counts ? counts(i, sets[k]) : 1;
      if (!found) continue;
      rows.push(i * data.sets.length + sets[k]);
      if (counts) mentions += found;
    }
  }
  return { rows, mentions };
}

const ASKS = ["was", "now", "met", "said", "d", "part", "also", "under"];

// How many mentions of a case are meant: null where the filters do not speak of mentions.
function counter(data, state, m) {
  const label = state.label ? data.labels.indexOf(state.label) : -1, asks = ASKS.some((key) => state[key]);
  if (state.kind === "spurious") {
    return (i, s) => spuriousIn(data, i, s, m, state.text).filter((span) => !state.label || span[2] === label).length;
  }
  if (!own(KIND_TESTS, state.kind) && !state.label && !asks) return null;
  const [quick, deep] = mentionTests(data, state, m);
  return (i, s) => {
    const labels = state.label ? data.mentionLabels(i, s) : null, codes = data.codes(i, s, m);
    if (!codes.length && !asks && state.kind === "all") return labels.filter((one) => one === label).length;
    if (labels && !labels.includes(label)) return 0;
    const left = codes.map((code, k) => ({ k, before: code & 15, after: code >> 4 }))
      .filter((mention) => (!labels || labels[mention.k] === label) && quick.every((test) => test(mention, i, s)));
    if (!deep.length || !left.length) return left.length;
    const mentions = mentionsIn(data, i, s, m);
    return left.filter(({ k }) => deep.every((test) => test(mentions[k], i, s))).length;
  };
}

// What the filters ask of a mention, besides its label: what outcomes tell, and what takes the texts.
function mentionTests(data, state, m) {
  const tests = [], deep = [], original = state.text === "original";
  const there = ({ before, after }) => before < 4 && after < 4;
  const is = (wanted, outcome) => wanted === "any" || (wanted === "wrong" ? outcome > 0 : OUTCOMES[outcome] === wanted);
  const fails = ({ before, after }) => (state.kind === "fell" ? KIND_TESTS.fell(before, after) : after > 0 && after < 4);
  const elsewhere = ({ k, before }, i, name) => {
    const s = place(data.sets, name), code = s < 0 || before > 3 ? undefined : data.codes(i, s, m)[k];
    return code === undefined ? null : { before: code & 15, after: code >> 4 };
  };
  const kind = own(KIND_TESTS, state.kind);
  if (kind) tests.push(({ before, after }) => kind(before, after));
  if (state.was) tests.push((mention) => there(mention) && is(state.was, mention.before));
  if (state.now) tests.push((mention) => there(mention) && is(state.now, mention.after));
  if (state.met) tests.push(({ before, after }) => (original ? before : after) < 4 && is(state.met, original ? before : after));
  if (state.said) {
    const said = data.labels.indexOf(state.said), never = !state.label ? 3 : state.said === state.label ? 1 : 0;
    tests.push(({ before, after }) => (original ? before : after) < 3 && (original ? before : after) !== never);
    deep.push(({ saidBefore, saidAfter }) => { const span = original ? saidBefore : saidAfter; return Boolean(span) && span[2] === said; });
  }
  if (state.part) deep.push((mention, i, s) => there(mention) && isReplaced(data, mention, i, s) === (state.part === "replaced"));
  if (state.d) deep.push((mention, i, s) => there(mention) && rowsOfErrors(data, mention, i, s, m, original).includes(state.d));
  if (state.also) tests.push((mention, i) => { const other = elsewhere(mention, i, state.also); return Boolean(other) && fails(other); });
  if (state.under) {
    const wanted = underOf(state.under);
    tests.push((mention, i) => wanted.all.every((name) => {
      const other = elsewhere(mention, i, name);
      return Boolean(other) && other.after < 4 && fails(other) === wanted.fails.includes(name);
    }));
  }
  return [tests, deep];
}

const KIND_TESTS = {
  fell: (before, after) => before === 0 && after > 0 && after < 4,
  rose: (before, after) => before > 0 && before < 4 && after === 0,
  type: (before, after) => after === 1,
  boundary: (before, after) => after === 2,
  missed: (before, after) => after === 3,
};

// The mentions of a case in the order of outcomes: the original's, then those that stand in the attacked text alone.
function mentionsIn(data, i, s, m) {
  const gold = data.gold(i), text = data.variant(i, s), fresh = text.gold.filter((_, k) => !text.map.includes(k));
  return data.outcomes(i, s, m).map((outcome, k) => {
    const old = gold[k] || null, now = old ? text.gold[text.map[k]] || null : fresh[k - gold.length];
    return { ...outcome, k, old, now };
  });
}

// Whether the attack changed a mention's own tokens. Shapes may be equal where texts were not: there edits tell it.
function isReplaced(data, { old, now }, i, s) {
  const { tokens, edits } = data.variant(i, s), inside = ({ start, end }) => start < old[1] && end > old[0];
  return phrase(data.tokens(i), old) !== phrase(tokens, now) || old[1] - old[0] !== now[1] - now[0]
    || Boolean(data.header.redacted && edits && edits.some(inside));
}

// The rows of the error table that a mention is in: type right or wrong, and how many tokens differ.
function rowsOfErrors(data, mention, i, s, m, original) {
  const span = original ? mention.old : mention.now, outcome = original ? mention.before : mention.after;
  if (outcome < 2) return [outcome ? "wrong 0" : "right 0"];
  const rows = (original ? data.predicted(i, m) : data.predictedAfter(i, s, m)).filter((said) => overlap(said, span) > 0).map((said) => (
    `${said[2] === span[2] ? "right" : "wrong"} ${Math.min(3, span[1] - span[0] + said[1] - said[0] - 2 * overlap(said, span))}`));
  return rows.length ? rows : ["none"];
}

const overlap = (a, b) => Math.min(a[1], b[1]) - Math.max(a[0], b[0]);
const hasText = (data, i, s) => data.status(i, s) !== "discarded" && data.status(i, s) !== "";

// One text of a case: tokens, gold mentions, and of a model (-1: none) its mentions, the outcome of each gold mention,
// which of its mentions was found in the gold one's place, and those that answer to none.
function sideOf(data, i, s, m, attacked) {
  const old = data.gold(i), variant = hasText(data, i, s) ? data.variant(i, s) : { tokens: [], gold: [], map: [] };
  const outcomes = m < 0 || !hasText(data, i, s) ? [] : data.outcomes(i, s, m);
  const gold = attacked ? variant.gold : old, met = [], said = [];
  const fresh = variant.gold.map((_, k) => k).filter((k) => !variant.map.includes(k));
  outcomes.forEach((one, k) => {
    const at = !attacked ? k : k < old.length ? variant.map[k] : fresh[k - old.length];
    if (at < 0 || (!attacked && k >= old.length)) return;
    met[at] = attacked ? one.after : one.before;
    said[at] = (attacked ? one.saidAfter : one.saidBefore) || null;
  });
  const predicted = (m < 0 ? null : attacked ? data.predictedAfter(i, s, m) : data.predicted(i, m)) || [];
  const answers = new Map();
  said.forEach((span, k) => { if (span) answers.set(span[0], k); });
  const spurious = predicted.filter((span) => !answers.has(span[0]));
  return { tokens: attacked ? variant.tokens : data.tokens(i), gold, predicted, outcomes: met, said, answers, spurious, judged: outcomes.length > 0 || !gold.length };
}

const spuriousIn = (data, i, s, m, text) => (hasText(data, i, s) ? sideOf(data, i, s, m, text !== "original").spurious : []);
