// What is read, listed, searched, saved or set works without this file. It adds: keys, selecting,
// marking a page as read when its end was seen, going on where one was, and what happens as it happens.
"use strict";
(() => {
  const $ = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const root = document.documentElement.dataset.prefix || "";

  // --- lists: which row is meant -----------------------------------------------------------------
  let here = -1;
  const rows = () => all("[data-row]");
  const choose = (number) => {
    const found = rows();
    if (!found.length) return;
    here = Math.max(0, Math.min(number, found.length - 1));
    found.forEach((row, place) => row.classList.toggle("here", place === here));
    const link = $("a[data-open]", found[here]);
    if (link) link.focus();
  };
  const box = () => rows()[here] && $("input[type=checkbox]", rows()[here]);
  const act = (name) => {
    const form = $("form[data-acts]");
    const button = form && $(`button[value="${name}"]`, form);
    if (!button) return;
    if (!all("input[name=page]:checked", form).length && box()) box().checked = true;
    if (all("input[name=page]:checked", form).length) button.click();
  };

  // --- keys --------------------------------------------------------------------------------------
  const go = { l: "/", c: "/changes", w: "/watches", j: "/jobs", t: "/tags", h: "/highlights", s: "/settings" };
  let waiting = "";
  const press = (selector) => { const found = $(selector); if (found) found.click(); };
  const size = (step) => {
    const form = $("form[data-reading]");
    const field = form && $("select[name=size]", form);
    if (!field || !field.options[field.selectedIndex + step]) return;
    field.selectedIndex += step;
    form.submit();
  };
  const mark = () => {
    const field = $("#bulk-tag");
    if (!field || !box()) return;
    box().checked = true;
    count();
    field.focus();
  };
  const watch = () => {
    const row = rows()[here];
    if (row && row.dataset.url) location.assign(`${root}/watches/new?url=${encodeURIComponent(row.dataset.url)}`);
  };
  const keys = {
    j: () => choose(here + 1), k: () => choose(here - 1),
    x: () => { if (box()) { box().checked = !box().checked; count(); } },
    o: () => { const row = rows()[here]; if (row) $("a[data-open]", row).click(); },
    a: () => act("archive"), d: () => act("delete"), p: () => ($("form[data-acts]") ? act("pin") : jump(-1)), t: mark, w: watch, m: () => act("read"),
    u: () => press("[data-undo]"), n: () => jump(1), v: () => press("[data-history]"), e: () => press("[data-why]"),
    "[": () => press("[data-older]"), "]": () => press("[data-newer]"), "+": () => size(1), "-": () => size(-1),
    "/": () => { const find = $("#find"); if (find) { find.focus(); find.select(); } },
    "?": () => press("[data-keys]"), g: () => { waiting = "g"; },
  };
  const jump = (step) => {
    const found = all(".block[id], mark[id]");
    if (!found.length) return;
    const at = found.findIndex((each) => "#" + each.id === location.hash);
    location.hash = found[(at + step + found.length) % found.length].id;
  };
  addEventListener("keydown", (event) => {
    if ("noKeys" in document.documentElement.dataset) return;
    const field = event.target.closest && event.target.closest("input:not([type=checkbox]), textarea, select");
    if (field || event.ctrlKey || event.metaKey || event.altKey) return;
    if (waiting === "g") {
      waiting = "";
      if (go[event.key]) { event.preventDefault(); location.assign(root + go[event.key]); }
      return;
    }
    if (Object.hasOwn(keys, event.key)) { event.preventDefault(); keys[event.key](); }
  });

  // --- selecting: shift-click takes what is between, and the number is said -----------------------
  let last = null;
  const count = () => {
    const chosen = all("input[name=page]:checked").length;
    const said = $("[data-chosen]");
    if (said) said.textContent = chosen ? `${chosen} selected` : "";
  };
  addEventListener("click", (event) => {
    const box = event.target.closest && event.target.closest("input[name=page]");
    if (!box) return;
    const boxes = all("input[name=page]");
    if (event.shiftKey && last) {
      const [from, to] = [boxes.indexOf(last), boxes.indexOf(box)].sort((a, b) => a - b);
      boxes.slice(from, to + 1).forEach((each) => { each.checked = box.checked; });
    }
    last = box;
    count();
  });

  // --- reading: the end was seen, so it was read --------------------------------------------------
  const end = $("[data-read-end]");
  if (end && "IntersectionObserver" in window) {
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some((each) => each.isIntersecting)) return;
      seen.disconnect();
      fetch(end.dataset.readEnd, { method: "POST", headers: { Accept: "text/plain" } });
    });
    setTimeout(() => seen.observe(end), 2000);
  }

  // --- reading: how far, by blocks, so that any device goes on there -------------------------------
  const text = $("[data-progress]");
  if (text) {
    const blocks = [...text.children];
    const top = () => blocks.findIndex((each) => each.getBoundingClientRect().bottom > 80);
    let noted = 0;
    const note = () => {
      const block = top() < 0 ? blocks.length : top();
      if (block === noted || !blocks.length) return;
      noted = block;
      const body = new URLSearchParams({ version: text.dataset.version, block, blocks: blocks.length });
      fetch(text.dataset.progress, { method: "POST", body, keepalive: true });
    };
    let waiting_to_note = 0;
    addEventListener("scroll", () => {
      clearTimeout(waiting_to_note);
      waiting_to_note = setTimeout(note, 1000);
    }, { passive: true });
    addEventListener("pagehide", note);
    const on = $("[data-go-on]");
    const there = on && blocks[Number(on.dataset.goOn)];
    if (there) {
      on.hidden = false;
      $("button", on).addEventListener("click", () => { there.scrollIntoView(); on.remove(); });
    }
  }

  // --- live: parts of a page are fetched anew when something happened to what they show -------------
  const live = all("[data-live]");
  if (live.length && "EventSource" in window) {
    let stream = null, last = "", soon = 0;
    const renew = async () => {
      const answer = await fetch(location.href);
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      live.forEach((part) => {
        const found = fresh.getElementById(part.id);
        if (found && !part.contains(document.activeElement)) part.replaceChildren(...found.childNodes);
      });
    };
    const open = () => {
      stream = new EventSource(`${root}/events${last ? `?after=${last}` : ""}`);
      stream.onmessage = (event) => {
        last = event.lastEventId;
        const kind = JSON.parse(event.data).kind;
        if (!live.some((part) => part.dataset.live.split(" ").some((each) => kind.startsWith(each)))) return;
        clearTimeout(soon);
        soon = setTimeout(renew, 300);
      };
    };
    const close = () => { if (stream) stream.close(); stream = null; };
    document.addEventListener("visibilitychange", () => { close(); if (!document.hidden) open(); });
    addEventListener("pagehide", close);
    if (!document.hidden) open();
  }

  // --- copying -----------------------------------------------------------------------------------
  addEventListener("click", (event) => {
    const button = event.target.closest && event.target.closest("[data-copy]");
    if (!button) return;
    fetch(button.dataset.copy).then((answer) => answer.text())
      .then((text) => navigator.clipboard.writeText(text))
      .then(() => { button.textContent = button.dataset.copied; });
  });
})();
