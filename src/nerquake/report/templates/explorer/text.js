// Text as elements: only textContent, so that nothing in the data can become markup.
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// A table's own entry: a name such as "constructor" must not find what every object has.
const own = (table, key) => (Object.prototype.hasOwnProperty.call(table, key) ? table[key] : undefined);

// What replaceChildren does, for the oldest browsers that are promised.
function refill(element, ...children) {
  element.textContent = "";
  element.append(...children);
}

const number = (value) => value.toLocaleString("en");
const plural = (value, word) => `${number(value)} ${word}${value === 1 ? "" : "s"}`;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
const JOINERS = "\u200c\u200d";

// The text in stretches [text, hidden]: characters that cannot be seen, or turn others round, each by its number.
function pieces(text) {
  const characters = Array.from(text), found = [];
  const joins = (at) => JOINERS.includes(characters[at]) && at > 0 && at < characters.length - 1
    && !HIDDEN.test(characters[at - 1]) && !HIDDEN.test(characters[at + 1])
    && characters[at - 1] !== " " && characters[at + 1] !== " ";
  characters.forEach((character, at) => {
    if (HIDDEN.test(character) && !joins(at)) {
      const code = character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
      found.push([`U+${code}`, true]);
    } else if (found.length && !found[found.length - 1][1]) found[found.length - 1][0] += character;
    else found.push([character, false]);
  });
  return found;
}

const shown = (text) => pieces(text).map(([part, hidden]) => (hidden ? `‹${part}›` : part)).join("");
const boxed = (text) => pieces(text).map(([part, hidden]) => (hidden ? make("span", { class: "hidden-char" }, part) : part));
const bdi = (text) => make("bdi", { dir: "auto" }, ...boxed(text));

const RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const direction = (tokens) => wayOf(tokens) || "ltr";

// The direction of the first letter; empty where there is none.
function wayOf(tokens) {
  for (const token of tokens) {
    const letter = /\p{L}/u.exec(token);
    if (letter) return RIGHT.test(letter[0]) ? "rtl" : "ltr";
  }
  return "";
}

// Stretches [start, end, against] of things side by side: those that read against the direction of the whole, with what
// has no direction between them and numbers behind Latin words, keep an order of their own.
function stretches(ways, whole, isNumber) {
  const found = [], against = (at) => ways[at] && ways[at] !== whole;
  for (let at = 0; at < ways.length;) {
    let end = at + 1;
    if (against(at)) {
      while (whole === "rtl" && end < ways.length && isNumber(end)) end += 1;
      for (let next = end; next < ways.length && (!ways[next] || against(next)); next += 1) {
        if (against(next) || (whole === "rtl" && next === end && isNumber(next))) end = next + 1;
      }
    }
    found.push([at, end, Boolean(against(at))]);
    at = end;
  }
  return found;
}

const segmenter = typeof Intl !== "undefined" && Intl.Segmenter ? new Intl.Segmenter(undefined, { granularity: "grapheme" }) : null;
const graphemes = (text) => (segmenter ? Array.from(segmenter.segment(text), (part) => part.segment) : Array.from(text));

// Which places of two lists are in their longest common part; null where the lists are too long to compare.
function common(left, right) {
  const rows = left.length, columns = right.length, width = columns + 1;
  if (rows * columns > 1000000) return null;
  const longest = new Uint16Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i -= 1) {
    for (let j = columns - 1; j >= 0; j -= 1) {
      longest[i * width + j] = left[i] === right[j] ? longest[(i + 1) * width + j + 1] + 1
        : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const kept = [new Uint8Array(rows), new Uint8Array(columns)];
  for (let i = 0, j = 0; i < rows && j < columns;) {
    if (left[i] === right[j]) { kept[0][i] = kept[1][j] = 1; i += 1; j += 1; }
    else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) i += 1;
    else j += 1;
  }
  return kept;
}

// The letters alone, in one case.
const bare = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toUpperCase();

// A token and what it became, with the graphemes that differ underlined where over half of its characters are kept.
function compared(old, now) {
  const sides = [graphemes(old), graphemes(now)];
  const kept = common(...sides);
  const same = kept ? kept[0].reduce((sum, one) => sum + one, 0) : 0;
  const close = old !== now && kept && (2 * same > sides[0].length || bare(old) === bare(now));
  return sides.map((parts, side) => (close
    ? parts.flatMap((part, at) => (kept[side][at] ? boxed(part) : make("span", { class: "x-char" }, ...boxed(part))))
    : boxed(side ? now : old)));
}
