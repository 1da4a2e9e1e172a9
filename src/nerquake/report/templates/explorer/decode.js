// Reads the island: the data of all sentences, as report/island/encode.py wrote them.
//
//   const data = await decodeIsland(document.getElementById('data').textContent)
//
// docs/formats.md has the format and every column. In short: base64 of one gzip stream of two u32 lengths, the header as
// JSON, the texts as JSON ({tokens, strings}), then the columns of header.columns one after another; a column of 2 or 4
// bytes a number lies in byte planes, low bytes first. Numbers of strings are one higher where 0 stands for none.
//   id, group<g>, tokens, gold.*, m<m>.*        the originals, and a model's answers for them
//   s<s>.*, s<s>.edit.*, s<s>.whole.*           variants: edits of the original, or whole texts
//   s<s>.m<m>.*, s<s>.m<m>.flags                a model's answers for the variants, what the filters read
// Here i is a sentence, s a set, m a model and g a group, all counted from 0; a mention is [start, end, label].

async function decodeIsland(base64) {
  'use strict';
  const STATUSES = ['changed', 'unchanged', 'not-applicable', 'discarded', ''];
  const [SAME, EDITED, WHOLE] = [0, 1, 2];
  const [UNANSWERED, AS_GOLD, STORED, MOVED] = [0, 1, 2, 3];
  const [BOUNDARY, MISSING, GONE] = [2, 3, 4];

  const { header, tokens: words, strings, columns } = unpack(await inflate(bytesOf(base64)));
  const { sentences: n, sets, models, labels, groups } = header, kept = new Map();

  // ---- columns

  function column(name) {
    const found = columns.get(name);
    if (!found) throw new Error(`the column ${name} is missing`);
    return found;
  }

  // What is worked out on first use and kept.
  function once(name, make) {
    let found = kept.get(name);
    if (found === undefined) kept.set(name, found = make());
    return found;
  }

  // Where each row of a column begins, from the counts of its rows; one more at the end.
  const borders = (name) => once(`${name} borders`, () => sums(column(`${name}.count`)));

  // For each row its place among those with one of these forms.
  const places = (forms, wanted) => sums(forms, (form) => wanted.includes(form) ? 1 : 0);

  function wordsOf(name, row) {
    const at = borders(name), numbers = column(name), found = [];
    for (let place = at[row]; place < at[row + 1]; place++) found.push(words[numbers[place]]);
    return found;
  }

  function spansOf(name, row) {
    const { at, start, length, label } = once(`${name} spans`, () => ({
      at: borders(name), start: column(`${name}.start`), length: column(`${name}.length`), label: column(`${name}.label`),
    }));
    const found = [];
    for (let k = at[row]; k < at[row + 1]; k++) found.push([start[k], start[k] + length[k], label[k]]);
    return found;
  }

  function pairsOf(name, row, value) {
    const at = borders(name), keys = column(`${name}.key`), values = column(`${name}.value`), found = [];
    for (let place = at[row]; place < at[row + 1]; place++) found.push([strings[keys[place]], value(values[place])]);
    return found;
  }

  const string = (number) => number ? strings[number - 1] : '';

  // ---- sentences and variants

  const id = (i) => strings[column('id')[i]];
  const tokens = (i) => wordsOf('tokens', i);
  const gold = (i) => spansOf('gold', i);
  const group = (i, g) => string(column(`group${g}`)[i]);
  const statusCodes = (s) => column(`s${s}.status`);
  const status = (i, s) => STATUSES[statusCodes(s)[i]];
  const reason = (i, s) => string(column(`s${s}.reason`)[i]);
  const variantId = (i, s) => string(column(`s${s}.id`)[i]) || `${id(i)}~${sets[s].name}`;

  // The columns of a set that say where mentions stand.
  const texts = (s) => once(`s${s} texts`, () => {
    const name = `s${s}`, form = column(`${name}.form`), sizes = column('gold.count'), come = column(`${name}.come`);
    return {
      form, come, row: places(form, [WHOLE]), map: column(`${name}.whole.map`),
      mapAt: sums(form, (one, i) => one === WHOLE ? sizes[i] : 0), sizes: Uint32Array.from(sizes, (size, i) => size + come[i]),
      editAt: borders(`${name}.edit`), start: column(`${name}.edit.start`), length: column(`${name}.edit.length`),
      more: column(`${name}.edit.new.count`),
    };
  });

  // Where edits stand in the original, and by how many tokens the text grows there.
  function steps(i, s) {
    const { editAt, start, length, more } = texts(s), found = [];
    for (let k = editAt[i]; k < editAt[i + 1]; k++) {
      found.push({ start: start[k], end: start[k] + length[k], growth: more[k] - length[k] });
    }
    return found;
  }

  function goldAfter(i, s) {
    const { form, row } = texts(s);
    if (form[i] === WHOLE) return spansOf(`s${s}.whole.gold`, row[i]);
    return form[i] === EDITED ? moved(gold(i), steps(i, s)) : form[i] === SAME ? gold(i) : [];
  }

  // For each mention of the original its place in the attacked text, -1 where it is gone.
  function mapOf(i, s) {
    const { form, map, mapAt } = texts(s);
    if (form[i] === WHOLE) return Array.from(map.subarray(mapAt[i], mapAt[i + 1]), (number) => number - 1);
    return gold(i).map((_, k) => form[i] === SAME || form[i] === EDITED ? k : -1);
  }

  function edits(i, s) {
    const name = `s${s}.edit`, at = texts(s).editAt, kinds = column(`${name}.kind`), original = tokens(i);
    return steps(i, s).map(({ start, end }, k) => {
      const place = at[i] + k, added = wordsOf(`${name}.new`, place);
      const said = [original.slice(start, end).join(' '), added.join(' ')];
      const source = pairsOf(`${name}.source`, place, (value) => value < 2 ? said[value] : strings[value - 2]);
      return { start, end, new: added, kind: kinds[place] ? 'context' : 'mention', source };
    });
  }

  function variant(i, s) {
    const { form, row } = texts(s), whole = form[i] === WHOLE, changes = edits(i, s);
    const text = whole ? wordsOf(`s${s}.whole`, row[i])
      : form[i] === EDITED ? edited(tokens(i), changes) : form[i] === SAME ? tokens(i) : [];
    const source = pairsOf(`s${s}.source`, i, (value) => strings[value]);
    return { tokens: text, gold: goldAfter(i, s), map: mapOf(i, s), edits: whole ? null : changes, rewrite: whole, source };
  }

  // ---- answers

  // The columns of a model's answers; `sizes` says how many mentions each sentence has.
  const answers = (name, sizes) => once(`${name} answers`, () => {
    const form = column(`${name}.form`), met = column(`${name}.met`);
    return {
      name, form, met, metAt: sums(form, (one, i) => one === UNANSWERED ? 0 : sizes[i]), row: places(form, [STORED]),
      partner: column(`${name}.partner`), partnerAt: sums(met, (code) => code === BOUNDARY ? 1 : 0),
      spurious: column(`${name}.spurious`), spuriousAt: borders(`${name}.spurious`), spuriousRow: places(form, [STORED, MOVED]),
    };
  });
  const before = (m) => answers(`m${m}`, column('gold.count'));
  const after = (s, m) => answers(`s${s}.m${m}`, texts(s).sizes);

  // A model's mentions in the original; null where it gave no answer.
  function predicted(i, m) {
    const { name, form, row } = before(m);
    if (form[i] === UNANSWERED) return null;
    return form[i] === AS_GOLD ? gold(i) : spansOf(name, row[i]);
  }

  // A model's mentions in the attacked text; null where it gave no answer.
  function predictedAfter(i, s, m) {
    const { name, form, row } = after(s, m);
    if (form[i] === UNANSWERED) return null;
    if (form[i] === AS_GOLD) return goldAfter(i, s);
    return form[i] === STORED ? spansOf(name, row[i]) : moved(predicted(i, m), steps(i, s));
  }

  // Whether a model answered for both texts.
  const answered = (i, s, m) => before(m).form[i] !== UNANSWERED && after(s, m).form[i] !== UNANSWERED;

  // The outcomes of a sentence's mentions as one number each, before + 16 * after, in the order of `outcomes`.
  function codes(i, s, m) {
    const old = before(m), now = after(s, m), found = [];
    if (old.form[i] === UNANSWERED) return found;
    const size = old.metAt[i + 1] - old.metAt[i];
    for (let k = 0; now.metAt[i] + k < now.metAt[i + 1]; k++) {
      found.push((k < size ? old.met[old.metAt[i] + k] : GONE) | now.met[now.metAt[i] + k] << 4);
    }
    return found;
  }

  // The mentions that the outcomes are of, as [place in the original, place in the attacked text], -1 where it is gone.
  function mentions(i, s) {
    const map = mapOf(i, s), found = map.map((place, k) => [k, place]);
    if (texts(s).come[i]) goldAfter(i, s).forEach((_, k) => { if (!map.includes(k)) found.push([-1, k]); });
    return found;
  }

  // Their labels.
  function mentionLabels(i, s) {
    const found = gold(i).map((span) => span[2]);
    if (!texts(s).come[i]) return found;
    const spans = goldAfter(i, s);
    return mentions(i, s).map(([old, place]) => old >= 0 ? found[old] : spans[place][2]);
  }

  // What became of each mention: first those of the original, then those that stand in the attacked text alone.
  // before, after are 0 right, 1 type, 2 boundary, 3 missed, 4 not in that text; saidBefore and saidAfter are the
  // mentions that the model found in its place, or null. An empty list where there is no answer.
  function outcomes(i, s, m) {
    const said = predicted(i, m), saidNow = predictedAfter(i, s, m);
    if (said === null || saidNow === null) return [];
    const old = gold(i), now = goldAfter(i, s), both = mentions(i, s);
    const was = answerers(before(m), i, said), is = answerers(after(s, m), i, saidNow);
    return codes(i, s, m).map((code, k) => {
      const [first, second] = both[k];
      return {
        before: code & 15, after: code >> 4,
        saidBefore: was(code & 15, old[first], k), saidAfter: is(code >> 4, now[second], k),
      };
    });
  }

  // A function that finds the mention that answers to the k-th one.
  function answerers({ met, metAt, partner, partnerAt }, i, said) {
    return (code, mention, k) => {
      if (code >= MISSING) return null;
      if (code === BOUNDARY) return said[partner[partnerAt[metAt[i] + k]]];
      return said.find((span) => span[0] === mention[0] && span[1] === mention[1]);
    };
  }

  function spuriousIn({ form, spurious: numbers, spuriousAt, spuriousRow }, i, said) {
    if (form[i] === UNANSWERED || form[i] === AS_GOLD) return [];
    const row = spuriousRow[i];
    return Array.from(numbers.subarray(spuriousAt[row], spuriousAt[row + 1]), (place) => said()[place]);
  }

  // Which of the model's mentions in the attacked text answer to no gold one; `spuriousBefore` is that of the original.
  const spurious = (i, s, m) => spuriousIn(after(s, m), i, () => predictedAfter(i, s, m));
  const spuriousBefore = (i, m) => spuriousIn(before(m), i, () => predicted(i, m));

  // ---- search

  // One byte a sentence: 1 where the query stands in its text, or in its text under set s (of no set where s is -1), or
  // where it is an id. Case is folded. One word may be part of a token; of several, side by side, the first may be the
  // end of a token and the last the beginning of one. The beginning of an id counts if it has a digit.
  function search(query, s) {
    const wanted = query.split(/[ \t\n\r]+/).filter((word) => word).map(folded), hits = new Uint8Array(n);
    if (!wanted.length) return hits.fill(1);
    const key = wanted.join(' '), last = kept.get('search'), found = last && last.key === key ? last : searchOriginals(key, wanted);
    kept.set('search', found);
    hits.set(found.hits);
    if (s >= 0) searchSet(s, found, hits);
    return hits;
  }

  function searchOriginals(key, wanted) {
    const vocabulary = once('folded words', () => words.map(folded));
    const tests = wanted.map((word, k) => {
      const test = wanted.length === 1 ? (token) => token.includes(word)
        : k === 0 ? (token) => token.endsWith(word)
          : k === wanted.length - 1 ? (token) => token.startsWith(word) : (token) => token === word;
      return Uint8Array.from(vocabulary, (token) => test(token) ? 1 : 0);
    });
    const ids = once('folded ids', () => Array.from({ length: n }, (_, i) => folded(id(i))));
    const label = header.redacted ? labels.findIndex((name) => folded(name) === key) : -1;
    const numbers = column('tokens'), at = borders('tokens'), kinds = column('gold.label'), spans = borders('gold');
    const hits = new Uint8Array(n);
    for (let i = 0; i < n; i++) {
      const here = isId(ids[i], key) || stands(tests, numbers, at[i], at[i + 1])
        || (label >= 0 && kinds.subarray(spans[i], spans[i + 1]).includes(label));
      hits[i] = here ? 1 : 0;
    }
    return { key, tests, hits };
  }

  const isId = (name, key) => name === key || (/[0-9]/.test(key) && name.startsWith(key));

  function searchSet(s, { key, tests }, hits) {
    const forms = column(`s${s}.form`), numbers = column('tokens'), at = borders('tokens');
    const whole = column(`s${s}.whole`), wholeAt = borders(`s${s}.whole`), wholeRow = texts(s).row;
    const added = column(`s${s}.edit.new`), addedAt = borders(`s${s}.edit.new`), editAt = borders(`s${s}.edit`);
    const starts = column(`s${s}.edit.start`), lengths = column(`s${s}.edit.length`), statuses = statusCodes(s);
    const ownIds = column(`s${s}.id`), derived = key.includes('~');  // any other beginning of a derived id is the parent's
    for (let i = 0; i < n; i++) {
      if (hits[i] || statuses[i] === 4) continue;
      let found = (derived || ownIds[i] > 0) && isId(folded(variantId(i, s)), key);
      if (!found && forms[i] === WHOLE) {
        found = stands(tests, whole, wholeAt[wholeRow[i]], wholeAt[wholeRow[i] + 1]);
      } else if (!found && forms[i] === EDITED && tests.length === 1) {  // what is left of the original was looked at
        found = stands(tests, added, addedAt[editAt[i]], addedAt[editAt[i + 1]]);
      } else if (!found && forms[i] === EDITED) {
        const text = [];
        let from = at[i];
        for (let edit = editAt[i]; edit < editAt[i + 1]; edit++) {
          for (const to = at[i] + starts[edit]; from < to; from++) text.push(numbers[from]);
          for (let k = addedAt[edit]; k < addedAt[edit + 1]; k++) text.push(added[k]);
          from = at[i] + starts[edit] + lengths[edit];
        }
        for (; from < at[i + 1]; from++) text.push(numbers[from]);
        found = stands(tests, text, 0, text.length);
      }
      if (found) hits[i] = 1;
    }
  }

  // Whether words that pass the tests stand side by side between start and end.
  function stands(tests, numbers, start, end) {
    for (let at = start; at + tests.length <= end; at++) {
      let k = 0;
      while (k < tests.length && tests[k][numbers[at + k]]) k++;
      if (k === tests.length) return true;
    }
    return false;
  }

  return {
    header, n, sets, models, labels, groups,
    id, tokens, gold, group, predicted, spuriousBefore,
    status, reason, variantId, variant, predictedAfter, answered, codes, mentions, mentionLabels, outcomes, spurious, search,
    flags: (s, m) => column(`s${s}.m${m}.flags`),
    changed: statusCodes,
  };

  // ---- what needs no data

  function folded(text) {
    return text.normalize('NFC').toUpperCase().toLowerCase().replace(/i\u0307/g, 'i').replace(/ς/g, 'σ');
  }

  // Running totals of a column, or of a function of its numbers: the first is 0, the last the whole.
  function sums(numbers, of = (number) => number) {
    const found = new Uint32Array(numbers.length + 1);
    for (let k = 0; k < numbers.length; k++) found[k + 1] = found[k] + of(numbers[k], k);
    return found;
  }

  function edited(text, changes) {
    const made = [];
    let at = 0;
    for (const edit of changes) {
      made.push(...text.slice(at, edit.start), ...edit.new);
      at = edit.end;
    }
    return made.concat(text.slice(at));
  }

  // Mentions after edits: one in front moves a mention, one inside makes it longer or shorter.
  function moved(spans, changes) {
    return spans.map(([start, end, label]) => {
      let shift = 0, growth = 0;
      for (const edit of changes) {
        if (edit.end <= start) shift += edit.growth;
        else if (edit.start >= start && edit.end <= end && !(edit.start === edit.end && edit.end === end)) growth += edit.growth;
        else if (edit.start < end) throw new Error('an edit cuts a mention');
      }
      return [start + shift, end + shift + growth, label];
    });
  }

  function bytesOf(text) {
    try {
      if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
      const binary = atob(text), bytes = new Uint8Array(binary.length);
      for (let k = 0; k < bytes.length; k++) bytes[k] = binary.charCodeAt(k);
      return bytes;
    } catch (error) {
      throw new Error('the text is not whole base64');
    }
  }

  async function inflate(bytes) {
    try {
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
      return new Uint8Array(await new Response(stream).arrayBuffer());
    } catch (error) {
      throw new Error('the compressed data are damaged or cut short');
    }
  }

  function unpack(bytes) {
    if (bytes.length < 8) throw new Error('there is no header');
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const texts = 8 + view.getUint32(0, true), start = texts + view.getUint32(4, true);
    const found = json(bytes.subarray(8, texts), 'header');
    if (found.version !== 1) throw new Error(`the format is version ${found.version}, this page reads version 1`);
    const { tokens: vocabulary, strings: names } = json(bytes.subarray(texts, start), 'list of words');
    return { header: found, tokens: vocabulary, strings: names, columns: unpackColumns(bytes, start, found.columns) };
  }

  function json(bytes, what) {
    try {
      return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch (error) {
      throw new Error(`the ${what} is damaged`);
    }
  }

  function unpackColumns(bytes, start, entries) {
    const found = new Map();
    let at = start;
    for (const { name, width, length } of entries) {
      if (at + width * length > bytes.length) throw new Error(`the column ${name} is cut short`);
      if (width === 1) {
        found.set(name, bytes.subarray(at, at + length));
      } else {
        const numbers = width === 2 ? new Uint16Array(length) : new Uint32Array(length);
        for (let k = 0; k < length; k++) {
          for (let plane = width - 1; plane >= 0; plane--) numbers[k] = (numbers[k] << 8) | bytes[at + plane * length + k];
        }
        found.set(name, numbers);
      }
      at += width * length;
    }
    if (at !== bytes.length) throw new Error(`there are ${bytes.length - at} bytes behind the last column`);
    return found;
  }
}
