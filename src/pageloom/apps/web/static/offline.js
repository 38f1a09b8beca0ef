// Without network: registers the service worker, keeps chosen pages, and shows what is there.
"use strict";
(() => {
  const root = document.documentElement.dataset.prefix || "";
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  const tell = async (what) => {
    const ready = await navigator.serviceWorker.ready;
    if (ready.active) ready.active.postMessage(what);
  };
  const alone = document.body.classList.contains("alone");
  if (!alone) {
    navigator.serviceWorker.register(`${root}/sw.js`, { scope: `${root}/` }).then(() => {
      tell("send");
      if (!sessionStorage.getItem("filled")) { sessionStorage.setItem("filled", "yes"); tell("fill"); }
    });
  }
  addEventListener("online", () => tell("send"));

  // --- a page that is kept, with its pictures ------------------------------------------------------
  const keep = document.querySelector("[data-keep]");
  if (keep && "caches" in window) {
    const path = keep.dataset.keep;
    const show = async () => {
      const kept = await (await caches.open("kept")).match(path);
      keep.textContent = kept ? "Kept offline ✓" : "Keep offline";
      keep.setAttribute("aria-pressed", String(Boolean(kept)));
      keep.hidden = false;
    };
    keep.addEventListener("click", async () => {
      const cache = await caches.open("kept");
      if (await cache.match(path)) await cache.delete(path);
      else {
        await cache.add(path);
        const pictures = await caches.open("pictures");
        for (const each of document.querySelectorAll(`article img[src^="${root}/media/"]`)) await pictures.add(each.src).catch(() => {});
      }
      show();
    });
    show();
  }

  // --- what can be read, and what waits to be sent --------------------------------------------------
  const list = document.querySelector("[data-offline]");
  if (!list || !("caches" in window)) return;
  const title = (text) => new DOMParser().parseFromString(text, "text/html").title.replace(/ · Pageloom$/, "");
  const fill = async () => {
    const found = new Map();
    const known = await caches.match(`${root}/offline/pages`);
    const named = new Map(known ? (await known.json()).items.map((each) => [each.path, each.title]) : []);
    for (const name of ["kept", "read"]) {
      const cache = await caches.open(name);
      for (const request of (await cache.keys()).reverse()) {
        const path = new URL(request.url).pathname;
        if (!found.has(path)) found.set(path, named.get(path) || title(await (await cache.match(request)).text()));
      }
    }
    list.replaceChildren(...[...found].map(([path, name]) => {
      const row = document.createElement("li"), head = document.createElement("h2"), link = document.createElement("a");
      row.className = "row plain";
      row.dataset.row = "";
      Object.assign(link, { href: path, textContent: name || path, dir: "auto", className: "quiet" });
      link.dataset.open = "";
      head.append(link);
      row.append(head);
      return row;
    }));
    document.querySelector("[data-none]").hidden = found.size > 0;
  };
  const count = () => {
    const asked = indexedDB.open("pageloom", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("queue", { keyPath: "key" });
    asked.onsuccess = () => {
      const counted = asked.result.transaction("queue").objectStore("queue").count();
      counted.onsuccess = () => {
        const said = document.querySelector("[data-queued]");
        said.hidden = !counted.result;
        said.textContent = counted.result === 1 ? "1 thing is sent when you are online again." : `${counted.result} things are sent when you are online again.`;
      };
    };
  };
  fill();
  count();
})();
