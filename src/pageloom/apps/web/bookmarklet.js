(() => {
  const home = "__HOME__", origin = "__ORIGIN__", key = "__KEY__", doc = document;
  const inert = doc.implementation.createHTMLDocument("");
  const nodes = Object.getOwnPropertyDescriptor(Node.prototype, "childNodes").get;
  const kids = (node) => {
    if (node.shadowRoot instanceof ShadowRoot) return nodes.call(node.shadowRoot);
    const given = node.localName === "slot" && node.assignedNodes ? node.assignedNodes() : [];
    return given.length ? given : nodes.call(node);
  };
  const copy = (node) => {
    const name = node.localName;
    if (node.nodeType === 8 || (name === "script" && node.getAttribute("type") !== "application/ld+json")) return null;
    const made = inert.importNode(node, false);
    if (node.nodeType === 1) {
      for (const each of [...made.attributes]) if (/^on/i.test(each.name)) made.removeAttribute(each.name);
      if (name === "input" && !/^(submit|button|reset)$/i.test(made.getAttribute("type"))) made.removeAttribute("value");
      if (name === "textarea") return made;
    }
    for (const each of kids(node)) { const kid = copy(each); if (kid) made.appendChild(kid); }
    return made;
  };
  const data = {
    url: location.href, title: doc.title, selection: String(getSelection()), key,
    html: "<!doctype html>" + copy(doc.documentElement).outerHTML
  };
  const looks = "popup,width=480,height=640";
  const byAddress = `${home}/save?url=${encodeURIComponent(location.href)}&title=${encodeURIComponent(doc.title)}`;
  const ask = () => {
    const button = doc.createElement("button");
    button.textContent = "Save to Pageloom";
    Object.assign(button.style, { position: "fixed", top: "1em", right: "1em", zIndex: 2147483647, padding: ".7em 1em", font: "1rem sans-serif" });
    button.onclick = () => { button.remove(); byForm(); };
    doc.documentElement.appendChild(button);
  };
  const byForm = () => {
    const name = "pageloom" + Date.now(), third = open("", name, looks);
    if (!third) { ask(); return; }
    doc.addEventListener("securitypolicyviolation", (event) => {
      if (event.effectiveDirective === "form-action") third.location = byAddress;
    });
    const form = doc.createElement("form");
    Object.assign(form, { method: "post", action: `${home}/capture/form`, target: name, enctype: "multipart/form-data", acceptCharset: "utf-8" });
    for (const field of Object.keys(data)) {
      const input = doc.createElement("input");
      Object.assign(input, { type: "hidden", name: field, value: data[field] });
      form.appendChild(input);
    }
    doc.documentElement.appendChild(form);
    HTMLFormElement.prototype.submit.call(form);
    form.remove();
  };
  let done = false;
  addEventListener("message", (event) => {
    if (event.origin !== origin || event.data !== "pageloom:ready" || done) return;
    done = true;
    event.source.postMessage({ pageloom: data }, origin);
  });
  const other = open(`${home}/capture`, "pageloom" + Date.now(), looks);
  const wait = (tries) => setTimeout(() => {
    if (done) return;
    if (!other.closed && tries) { wait(tries - 1); return; }
    done = true;
    byForm();
  }, 1500);
  if (other) wait(6);
  else ask();
})();
