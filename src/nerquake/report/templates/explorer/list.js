// The list of cases: rows of one height, of which only those near the window exist.
const ROW = 72, SPARE = 6, MOST_ROWS = 40, MOST_TOKENS = 40;

// `open` is called with the position of a row that was chosen.
function makeList(box, open) {
  const sizer = make("div", { class: "x-sizer", role: "presentation" }), made = new Map();
  let data = null, rows = [], at = -1, model = 0, waiting = false;
  box.append(sizer);

  function draw() {
    waiting = false;
    const first = Math.max(0, Math.floor(box.scrollTop / ROW) - SPARE);
    const last = Math.min(rows.length, first + MOST_ROWS, Math.ceil((box.scrollTop + box.clientHeight) / ROW) + SPARE);
    for (const [index, row] of made) if (index < first || index >= last) { row.remove(); made.delete(index); }
    for (let index = first; index < last; index += 1) {
      if (made.has(index)) continue;
      const row = rowOf(data, rows[index], model, index, rows.length);
      row.style.top = `${index * ROW}px`;
      made.set(index, row);
      sizer.append(row);
    }
    for (const [index, row] of made) row.setAttribute("aria-selected", String(index === at));
    if (made.has(at)) box.setAttribute("aria-activedescendant", `x-row-${at}`);
    else box.removeAttribute("aria-activedescendant");
  }

  function show(next) {
    at = next;
    const top = at * ROW, bottom = top + ROW - box.clientHeight;
    if (at >= 0 && (box.scrollTop > top || box.scrollTop < bottom)) box.scrollTop = box.scrollTop > top ? top : bottom;
    draw();
  }

  box.addEventListener("scroll", () => {
    if (!waiting) { waiting = true; requestAnimationFrame(draw); }
  });
  box.addEventListener("click", (event) => {
    const row = event.target.closest("[role=option]");
    if (row) open(Number(row.dataset.index));
  });
  new ResizeObserver(() => { if (data) draw(); }).observe(box);
  return {
    fill(newData, newRows, newModel) {
      data = newData; rows = newRows; model = newModel; at = -1;
      made.forEach((row) => row.remove());
      made.clear();
      sizer.style.height = `${rows.length * ROW}px`;
      box.scrollTop = 0;
    },
    show,
    draw,
  };
}

// A row: id, set and a mark for each model; the attacked text from two tokens before the first edit; the original.
function rowOf(data, number_, model, index, size) {
  const i = Math.floor(number_ / data.sets.length), s = number_ % data.sets.length, status = data.status(i, s);
  const kept = status !== "discarded", { tokens, changed, start } = kept ? attackedRow(data, i, s) : { tokens: [], changed: new Set(), start: 0 };
  const marks = data.models.map((one, m) => markOf(data, i, s, m, m === model)), audit = data.sets[s].audit;
  const second = make("span", { class: "x-now", dir: direction(tokens) }, start ? "… " : "");
  tokens.slice(start, start + MOST_TOKENS).forEach((token, k) => {
    const text = boxed(token);
    second.append(changed.has(start + k) ? make("u", {}, ...text) : make("span", {}, ...text), " ");
  });
  const third = make("span", { class: "x-old", dir: direction(data.tokens(i)) });
  if (status === "changed") third.append(start ? "… " : "", ...boxed(data.tokens(i).slice(start, start + MOST_TOKENS).join(" ")));
  else {
    if (!kept) second.append(...boxed(data.tokens(i).slice(0, MOST_TOKENS).join(" ")));
    third.append(...boxed(statusWords(data, i, s)));
  }
  return make("div", {
    id: `x-row-${index}`, class: "x-row", role: "option", "data-index": index, "aria-posinset": index + 1, "aria-setsize": size,
  }, make("span", { class: "x-head" }, make("b", {}, bdi(data.id(i))), " ", bdi(data.sets[s].name), ...(audit ? [" · ", bdi(audit)] : []), " ", make("span", { class: "x-marks" }, ...marks)), second, third);
}

function statusWords(data, i, s) {
  const status = data.status(i, s), reason = data.reason(i, s);
  const words = status.replace("-", " ");
  return reason ? `${words}: ${reason}` : words;
}

// The tokens of the attacked text, which of them the edits put in, and where a row begins.
function attackedRow(data, i, s) {
  const { tokens, edits } = data.variant(i, s), changed = new Set();
  let first = edits && edits.length ? Infinity : 0, shift = 0;
  for (const edit of edits || []) {
    first = Math.min(first, edit.start + shift);
    edit.new.forEach((_, k) => changed.add(edit.start + shift + k));
    shift += edit.new.length - (edit.end - edit.start);
  }
  return { tokens, changed, start: Math.max(0, first - 2) };
}

// What became of a case for one model, as one mark: the worst that is there.
function markOf(data, i, s, m, chosen) {
  const flags = data.flags(s, m)[i], name = data.models[m].name;
  const kind = ["missed", "type", "boundary", "spurious"].find((one) => flags & BITS[one]) || (flags & BITS.rose ? "rose" : "right");
  const turn = flags & BITS.fell ? "fell" : flags & BITS.rose ? "rose" : "held", answered = data.answered(i, s, m);
  const said = [turn === "held" ? "" : turn, kind === "rose" ? "" : own(KINDS, kind) || ""].filter((word) => word);
  const words = `${shown(name)}: ${answered ? said.join(", ") || "right" : "no answer"}`;
  return make("span", { class: `${turn}${chosen ? " x-chosen" : ""}`, title: words }, answered ? MARKS[kind] : "–", make("span", { class: "sr" }, ` ${words} `));
}
