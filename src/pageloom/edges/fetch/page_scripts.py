"""JavaScript that is run inside a page in the browser."""

from __future__ import annotations

KEEP_SHADOWS = """
(() => {
  const attach = Element.prototype.attachShadow;
  const roots = new WeakMap();
  Element.prototype.attachShadow = function (how) {
    const root = attach.call(this, how);
    roots.set(this, root);
    return root;
  };
  Object.defineProperty(window, "__pageloomShadow", {
    value: (element) => element.shadowRoot || roots.get(element),
  });
})();
"""
"""Before the page's own scripts: remember closed shadow roots too."""

SETTLE = """
([quiet, patience, most]) => new Promise((done) => {
  const began = performance.now();
  const isEmpty = () => !document.body || document.body.innerText.trim().length < 300;
  let last = began;
  const watcher = new MutationObserver(() => { last = performance.now(); });
  watcher.observe(document, { subtree: true, childList: true, characterData: true });
  const timer = setInterval(() => {
    const now = performance.now();
    let calm = document.readyState === "complete" && now - last >= quiet;
    if (calm && now - last < patience && isEmpty()) calm = false;
    if (calm || now - began >= most) {
      clearInterval(timer);
      watcher.disconnect();
      done(calm);
    }
  }, 25);
})
"""
"""Resolves when nothing has changed for a while (a longer one where there is hardly anything to
see yet), or when the time is up."""

SCROLL = """
async ([pause, steps]) => {
  const drawn = () => new Promise((next) => {
    setTimeout(next, 20 * pause);
    requestAnimationFrame(() => requestAnimationFrame(next));
  });
  const root = document.scrollingElement || document.documentElement;
  const before = root.scrollHeight;
  for (let step = 0; step < steps; step += 1) {
    const bottom = root.scrollTop + window.innerHeight;
    if (bottom >= root.scrollHeight - 1) break;
    window.scrollTo({ top: bottom - 40, behavior: "instant" });
    await new Promise((next) => setTimeout(next, pause));
    await drawn();
  }
  return [before, root.scrollHeight, root.scrollTop > 0];
}
"""
"""Goes down by screens; answers with the height before and after, and whether it moved.

Each screen is drawn before the next: only then does a lazy image load."""

SHORT_MARKUP = """
([short, most]) => (document.body?.innerText || "").length < short
  ? document.documentElement.outerHTML.slice(0, most) : ""
"""
"""The markup of a page with little text on it."""

TO_TOP = "() => window.scrollTo({ top: 0, behavior: 'instant' })"

SERIALISE = """
(most) => {
  const inert = document.implementation.createHTMLDocument("");
  const shadowOf = window.__pageloomShadow || ((element) => element.shadowRoot);
  const unwanted = new Set(["NOSCRIPT", "SLOT"]);
  let budget = most;
  const childrenOf = (node) => {
    if (node.nodeType !== 1) return node.childNodes;
    const shadow = shadowOf(node);
    if (shadow) return shadow.childNodes;
    if (node.tagName === "SLOT") {
      const given = node.assignedNodes ? node.assignedNodes() : [];
      return given.length ? given : node.childNodes;
    }
    return node.tagName === "TEMPLATE" ? [] : node.childNodes;
  };
  const stack = [[document.documentElement, null]];
  let top = null;
  while (stack.length && budget > 0) {
    const [node, parent] = stack.pop();
    if (node.nodeType !== 1 && node.nodeType !== 3) continue;
    let target = parent;
    if (node.nodeType === 3) {
      budget -= node.data.length;
      parent.appendChild(inert.importNode(node, false));
      continue;
    }
    if (node.tagName === "NOSCRIPT") continue;
    if (!unwanted.has(node.tagName)) {
      target = inert.importNode(node, false);
      budget -= 50;
      if (parent) parent.appendChild(target); else top = target;
      if (node.currentSrc && node.tagName === "IMG" && !target.getAttribute("src")) {
        target.setAttribute("src", node.currentSrc);
      }
    }
    const children = childrenOf(node);
    for (let at = children.length - 1; at >= 0; at -= 1) stack.push([children[at], target]);
  }
  return "<!DOCTYPE html>\\n" + (top ? top.outerHTML : "");
}
"""
"""The page as it is now, web components laid out flat: shadow trees in place, slots filled."""
