// The window that a bookmarklet opens: takes the page over, says that it is saved, and closes itself.
"use strict";
(() => {
  const form = document.querySelector("#capture");
  if (form) {
    const from = window.opener;
    addEventListener("message", (event) => {
      const given = event.data && event.data.pageloom;
      if (!from || event.source !== from || !given || form.elements.origin.value) return;
      for (const name of ["url", "title", "selection", "key", "html"]) form.elements[name].value = String(given[name] || "");
      form.elements.origin.value = event.origin;
      form.submit();
    });
    if (from) from.postMessage("pageloom:ready", "*");
    else { window.close(); document.querySelector("[data-alone]").hidden = false; }
  }
  const held = document.querySelector("form[data-auto]");
  if (held) held.submit();

  const done = document.querySelector("[data-closes]");
  if (done) {
    const soon = setTimeout(() => window.close(), 3000);
    const stay = () => { clearTimeout(soon); done.hidden = true; };
    for (const kind of ["pointerdown", "keydown", "focusin"]) addEventListener(kind, stay);
  }
})();
