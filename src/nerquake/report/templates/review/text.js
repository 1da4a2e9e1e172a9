/* Elements, and text of which nothing is hidden. */
function $(id) { return document.getElementById(id); }
function make(tag, text, name) {
  var element = document.createElement(tag);
  if (text) { element.textContent = text; }
  if (name) { element.className = name; }
  return element;
}
function shown(text) {
  return Array.from(text).map(function (c, i, all) { return hidden(c, i, all) ? "‹" + code(c) + "›" : c; }).join("");
}
function code(c) { return "U+" + c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0"); }
function unseen(c) { return c !== " " && /[\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u.test(c); }
function hidden(c, i, all) {
  if (!unseen(c)) { return false; }
  var joins = (c === "\u200c" || c === "\u200d") && i > 0 && i < all.length - 1;
  return !joins || [all[i - 1], all[i + 1]].some(function (beside) { return beside === " " || unseen(beside); });
}
function pieces(into, text) {
  Array.from(text).forEach(function (c, i, all) {
    into.append(hidden(c, i, all) ? make("span", code(c), "hidden-char") : c);
  });
  return into;
}
