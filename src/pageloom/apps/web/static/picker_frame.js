// Inside the page that is pointed at, which has no origin: it tells the number of an element, nothing else.
"use strict";
(() => {
  const origin = document.documentElement.dataset.origin;
  const holder = (node) => node && node.closest && node.closest("[data-n]");
  let over = null;
  const hover = (element) => {
    if (!element) return;
    if (over) over.classList.remove("over");
    over = element;
    over.classList.add("over");
  };
  const tell = () => {
    if (over) parent.postMessage({ pageloom: "picked", n: Number(over.dataset.n) }, origin);
  };
  const beside = (element, step) => {
    let found = element[step];
    while (found && !found.dataset.n) found = found[step];
    return found;
  };
  const moves = {
    ArrowUp: () => holder(over.parentElement),
    ArrowDown: () => over.querySelector("[data-n]"),
    ArrowLeft: () => beside(over, "previousElementSibling"),
    ArrowRight: () => beside(over, "nextElementSibling"),
  };
  addEventListener("mouseover", (event) => hover(holder(event.target)));
  addEventListener("click", (event) => { event.preventDefault(); hover(holder(event.target)); tell(); });
  addEventListener("keydown", (event) => {
    if (event.key === "Enter") { tell(); return; }
    if (!moves[event.key]) return;
    event.preventDefault();
    const next = over ? moves[event.key]() : document.querySelector("main [data-n]");
    hover(next);
    if (next) next.scrollIntoView({ block: "nearest" });
  });
  addEventListener("message", (event) => {
    if (event.source !== parent || !event.data || !Array.isArray(event.data.show)) return;
    document.querySelectorAll(".shown").forEach((each) => each.classList.remove("shown"));
    const found = event.data.show.map((n) => document.querySelector(`[data-n="${Number(n)}"]`)).filter(Boolean);
    found.forEach((each) => each.classList.add("shown"));
    if (found.length && event.data.scroll) found[0].scrollIntoView({ block: "center" });
  });
})();
