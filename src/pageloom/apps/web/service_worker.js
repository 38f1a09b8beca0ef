// Pages that were read, and those that were chosen, without network; what is saved then is sent once, later.
"use strict";
const ROOT = "__ROOT__", SHELL = __SHELL__, NAME = "shell-__VERSION__", MOST = 50;
const READER = /^\/p\/\d+$/;
const LATER = { "/save": "save", "/share": "save" };
const OF_PAGES = /^\/p\/(\d+)\/(highlights|notes|tags|read)$/;

self.addEventListener("install", (event) => event.waitUntil(
  caches.open(NAME).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("shell-") && name !== NAME) await caches.delete(name);
  await self.clients.claim();
})()));
self.addEventListener("message", (event) => {
  if (event.data === "fill") event.waitUntil(fill());
  if (event.data === "send") event.waitUntil(sendAll());
});
self.addEventListener("sync", (event) => event.waitUntil(sendAll()));

self.addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (url.origin !== location.origin || !url.pathname.startsWith(`${ROOT}/`)) return;
  const path = url.pathname.slice(ROOT.length);
  if (request.method === "POST" && path === "/share") event.respondWith(share(request));
  else if (request.method === "POST" && (LATER[path] || OF_PAGES.test(path))) event.respondWith(post(request, path));
  else if (request.method !== "GET") return;
  else if (path.startsWith("/static/")) event.respondWith(caches.match(request).then((found) => found || fetch(request)));
  else if (path.startsWith("/media/")) event.respondWith(fetch(request).catch(() => caches.match(request).then((found) => found || Response.error())));
  else if (request.mode === "navigate") event.respondWith(page(event, path));
});

async function page(event, path) {
  const address = ROOT + path;
  try {
    const answer = await fetch(event.request);
    if (READER.test(path) && answer.ok && !answer.redirected) event.waitUntil(remember(address, answer.clone()));
    return answer;
  } catch {
    return (READER.test(path) && await caches.match(address)) || caches.match(`${ROOT}/offline`);
  }
}

async function remember(address, answer) {
  const kept = await caches.open("kept"), cache = await caches.open("read");
  if (await kept.match(address)) await kept.put(address, answer.clone());
  await cache.delete(address);
  await cache.put(address, answer);
  const known = await cache.keys();
  for (const old of known.slice(0, Math.max(0, known.length - MOST))) await cache.delete(old);
}

async function fill() {
  const cache = await caches.open("read");
  const answer = await fetch(`${ROOT}/offline/pages`).catch(() => null);
  if (!answer || !answer.ok || answer.redirected) return;
  await (await caches.open(NAME)).put(`${ROOT}/offline/pages`, answer.clone());
  for (const each of (await answer.json()).items.reverse()) {
    if (await cache.match(each.path)) continue;
    const found = await fetch(each.path).catch(() => null);
    if (found && found.ok && !found.redirected) await remember(each.path, found);
  }
}

// --- the queue: what was done without network, in order, each thing under a key that makes it happen once
function database() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open("pageloom", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("queue", { keyPath: "key" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}
async function inQueue(mode, act) {
  const opened = await database();
  return new Promise((resolve, reject) => {
    const asked = act(opened.transaction("queue", mode).objectStore("queue"));
    asked.onsuccess = () => { opened.close(); resolve(asked.result); };
    asked.onerror = () => { opened.close(); reject(asked.error); };
  });
}

async function post(request, path) {
  const copy = request.clone();
  try {
    return await fetch(request);
  } catch {
    const found = OF_PAGES.exec(path);
    await later(found ? ofPage(found[1], found[2], await copy.formData()) : asSave(await copy.formData()));
    if (request.mode === "navigate") return Response.redirect(`${ROOT}/offline?queued=1`, 303);
    return new Response(null, { status: 202 });
  }
}

async function share(request) {
  const form = await request.formData(), given = asSave(form);
  const body = new FormData();
  for (const [name, value] of given.form || [["urls", (given.json.urls || []).join("\n")]]) body.append(name === "url" ? "urls" : name, value);
  try {
    const answer = await fetch(`${ROOT}/save`, { method: "POST", body });
    return Response.redirect(answer.url, 303);
  } catch {
    await later(given);
    return Response.redirect(`${ROOT}/offline?queued=1`, 303);
  }
}

function asSave(form) {
  const text = (name) => String(form.get(name) || "");
  const inside = /https?:\/\/[^\s<>"]+/.exec(`${text("url")} ${text("text")} ${text("title")}`);
  const urls = text("urls") ? text("urls").split("\n").map((line) => line.trim()).filter(Boolean) : inside ? [inside[0]] : [];
  const file = form.get("file");
  if (file && file.size) return { path: "/api/v1/pages", form: [["url", urls[0] || ""], ["tags", text("tags")], ["note", text("note")], ["file", file]] };
  const tags = text("tags").split(",").map((tag) => tag.trim()).filter(Boolean);
  const json = { urls, tags, note: text("note"), archive: form.has("archive"), watch: form.has("watch") };
  if (text("html")) Object.assign(json, { urls: [], url: urls[0] || "", html: text("html") });
  return { path: "/api/v1/pages", json };
}

function ofPage(number, what, form) {
  const text = (name) => String(form.get(name) || "");
  const path = `/api/v1/pages/${number}/${what}`;
  if (what === "highlights") return { path, json: { quote: text("quote"), before: text("before"), after: text("after"), colour: text("colour") || "yellow", note: text("note"), version: Number(text("version")) || null } };
  if (what === "notes") return { path, json: { text: text("text") } };
  if (what === "tags") return { path, json: { tags: text("add").split(",").map((tag) => tag.trim()).filter(Boolean) } };
  return { path: `/p/${number}/read`, form: [] };
}

async function later(thing) {
  await inQueue("readwrite", (store) => store.put({ ...thing, key: `${Date.now()}-${crypto.randomUUID()}` }));
  if (self.registration.sync) await self.registration.sync.register("queue").catch(() => {});
}

function sendAll() {
  return navigator.locks.request("queue", async () => {
    for (const thing of await inQueue("readonly", (store) => store.getAll())) {
      const headers = { "Idempotency-Key": thing.key, Prefer: "respond-async" };
      let body = null;
      if (thing.json) { headers["Content-Type"] = "application/json"; body = JSON.stringify(thing.json); }
      else { body = new FormData(); for (const [name, value] of thing.form) body.append(name, value); }
      const answer = await fetch(ROOT + thing.path, { method: "POST", headers, body }).catch(() => null);
      if (!answer || answer.status >= 500 || [401, 403, 408, 429].includes(answer.status)) return;
      await inQueue("readwrite", (store) => store.delete(thing.key));
    }
  });
}
