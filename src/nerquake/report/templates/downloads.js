(function () {
  "use strict";
  var packed = document.getElementById("tables"), buttons = document.querySelectorAll("button[data-table]"), read = null;
  document.querySelectorAll("button[data-svg]").forEach(function (button) {
    button.hidden = false;
    button.addEventListener("click", function () {
      var drawn = new XMLSerializer().serializeToString(button.closest("figure").querySelector(".wide svg"));
      save(button.dataset.svg + ".svg", drawn.replace(/="var\(--[a-z]+,(#[0-9a-f]{6})\)"/g, '="$1"'));
    });
  });
  document.querySelectorAll("button[data-copy]").forEach(function (button) {
    button.hidden = false;
    button.addEventListener("click", function () {
      var text = button.closest("dd").querySelector("code"), range = document.createRange(), chosen = window.getSelection(), done = false;
      range.selectNodeContents(text);
      chosen.removeAllRanges();
      chosen.addRange(range);
      try { done = document.execCommand("copy"); } catch (e) { done = false; }
      button.textContent = done ? "Copied" : "Press Ctrl C";
    });
  });
  if (!packed || typeof DecompressionStream === "undefined") { return; }
  function tables() {
    if (!read) {
      var bytes = Uint8Array.from(atob(packed.textContent.trim()), function (letter) { return letter.charCodeAt(0); });
      read = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
    }
    return read;
  }
  function save(name, text) {
    var link = document.createElement("a"), address = URL.createObjectURL(new Blob([text]));
    link.download = name;
    link.href = address;
    link.click();
    setTimeout(function () { URL.revokeObjectURL(address); }, 10000);
  }
  buttons.forEach(function (button) {
    button.hidden = false;
    button.addEventListener("click", function () {
      tables().then(function (all) {
        var table = all[Number(button.dataset.table)], form = button.dataset.form;
        save(table.name + "." + form, table[form]);
      });
    });
  });
}());
