// Keys: letters act outside fields only, and can be switched off (WCAG 2.1.4).
const KEYS = [
  ["j k, ↓ ↑ in the list", "next, previous case"], ["PageUp PageDown Home End", "in the list: by ten, ends"],
  ["Enter", "open the case (phone: full screen)"], ["[ ]", "same sentence, previous or next set"],
  ["n p", "next, previous sentence"], ["f", "first filter"], ["/", "search"],
  ["Esc", "leave field, back to the list, close help"], ["0, 1 to 9", "gold, model 1 to 9"],
  ["a", "aligned or stacked"], ["c", "copy link"], ["t", "theme: light, dark, as the system"], ["?", "this list"],
];

function fillHelp(app) {
  const table = document.getElementById("x-keys");
  table.append(...KEYS.map(([key, does]) => make("tr", {}, make("th", { scope: "row" }, make("kbd", {}, key)), make("td", {}, does))));
  const box = document.getElementById("x-letters");
  box.checked = remembered(app.data.header.fingerprint, "letters") !== "off";
  app.letters = box.checked;
  box.addEventListener("change", () => {
    app.letters = box.checked;
    remembered(app.data.header.fingerprint, "letters", box.checked ? "on" : "off");
  });
}

function toggleHelp() {
  const help = document.getElementById("x-help");
  if (help.open) { help.close(); return; }
  help.showModal();
  help.querySelector("form button").focus();
}

function listenToKeys(app) {
  const actions = {
    j: () => app.move(1), k: () => app.move(-1), n: () => app.sentence(1), p: () => app.sentence(-1),
    "[": () => app.otherSet(-1), "]": () => app.otherSet(1), a: () => app.stack(), c: () => app.copy(), f: () => app.field("x-set"),
    "/": () => app.field("x-q"), t: () => document.getElementById("theme").click(), "?": toggleHelp,
  };
  const inList = {
    ArrowDown: () => app.move(1), ArrowUp: () => app.move(-1), PageDown: () => app.move(10), PageUp: () => app.move(-10),
    Home: () => app.move(-Infinity), End: () => app.move(Infinity), Enter: () => app.enter(),
  };
  window.addEventListener("keydown", (event) => {
    const { target, key } = event, field = target.closest && target.closest("input, select, textarea, [contenteditable]");
    if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "f") { app.say(`The browser finds only what is on screen. / searches all ${plural(app.data.n, "sentence")}.`, 4000); return; }
    const written = event.getModifierState("AltGraph") || (event.altKey && !event.ctrlKey && "[]".includes(key));  // where [ takes one
    if (event.metaKey || (!written && (event.ctrlKey || event.altKey))) return;
    if (document.getElementById("x-help").open) {
      if (key === "?" && app.letters) { event.preventDefault(); toggleHelp(); }
      return;
    }
    if (key === "Escape") { app.leave(); return; }
    if (field) return;
    const action = target.id === "x-list" && inList[key] ? inList[key]
      : !app.letters ? null
        : /^[0-9]$/.test(key) ? () => app.layer(Number(key) - 1) : actions[key];
    if (action) { event.preventDefault(); action(); }
  });
}
