(function () {
  "use strict";
  var root = document.documentElement, button = document.getElementById("theme");
  var order = ["system", "light", "dark"], signs = ["◐", "○", "●"], at = 0, key = "nerquake-theme";
  try { at = Math.max(0, order.indexOf(localStorage.getItem(key))); } catch (e) { at = 0; }
  var sign = document.createElement("span"), said = document.createElement("span");
  sign.setAttribute("aria-hidden", "true");
  said.className = "said";
  button.textContent = "";
  button.appendChild(sign);
  button.appendChild(said);
  function show() {
    if (order[at] === "system") { root.removeAttribute("data-theme"); } else { root.setAttribute("data-theme", order[at]); }
    sign.textContent = signs[at];
    said.textContent = " Theme: " + order[at];
    button.setAttribute("aria-label", "Theme: " + order[at]);
  }
  button.addEventListener("click", function () {
    at = (at + 1) % order.length;
    try { localStorage.setItem(key, order[at]); } catch (e) { /* a page without storage forgets the choice */ }
    show();
  });
  button.hidden = false;
  show();
}());
