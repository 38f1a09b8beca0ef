// The workbench: an element that was pointed at in the frame becomes a list of selectors, made by the server.
"use strict";
(() => {
  const frame = document.querySelector("[data-picker]");
  const place = document.getElementById("picked");
  if (!frame || !place) return;
  const show = (places, scroll) => frame.contentWindow.postMessage({ show: places, scroll }, "*");
  const shown = (scroll) => {
    const chosen = place.querySelector("input[name=selector]:checked") || place.querySelector("[data-places]");
    if (chosen) show((chosen.dataset.places || "").split(" ").filter(Boolean).map(Number), scroll);
  };
  let last = 0;
  const ask = async (name, value, scroll) => {
    const mine = (last += 1);
    place.setAttribute("aria-busy", "true");
    const answer = await fetch(`${frame.dataset.picker}&${name}=${encodeURIComponent(value)}`);
    if (mine !== last) return;
    place.removeAttribute("aria-busy");
    const made = new DOMParser().parseFromString(answer.ok ? await answer.text() : "", "text/html");
    place.replaceChildren(...made.body.childNodes);
    shown(scroll);
  };
  addEventListener("message", (event) => {
    if (event.source !== frame.contentWindow || !event.data || event.data.pageloom !== "picked") return;
    if (Number.isInteger(event.data.n) && event.data.n >= 0) ask("n", event.data.n, false);
  });
  place.addEventListener("change", () => shown(true));
  const own = document.getElementById("own");
  if (own) own.addEventListener("change", () => { if (own.value.trim()) ask("own", own.value, true); });
  frame.addEventListener("load", () => shown(true));
})();
