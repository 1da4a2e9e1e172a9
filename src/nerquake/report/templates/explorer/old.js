(function () {
  "use strict";
  var note = document.getElementById("explorer-note");
  if (note && typeof DecompressionStream === "undefined") {
    note.textContent = "This browser is too old for the sentence explorer (needs Chrome 80, Firefox 113 or Safari 16.4). Everything above works.";
  }
}());
