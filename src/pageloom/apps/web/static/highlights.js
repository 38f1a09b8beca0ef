// Marking passages: words that are selected get a colour, with the pointer or with keys alone.
"use strict";
(() => {
  const text = document.querySelector("[data-marks]");
  const form = document.querySelector("#marker");
  if (!text || !form) return;
  const said = form.querySelector("[data-said]");
  let keying = false;

  const chosen = () => {
    const selection = getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    const inside = text.contains(range.startContainer) && text.contains(range.endContainer);
    return inside && selection.toString().trim() ? range : null;
  };
  const beside = (range, before) => {
    const other = document.createRange();
    other.selectNodeContents(text);
    if (before) other.setEnd(range.startContainer, range.startOffset);
    else other.setStart(range.endContainer, range.endOffset);
    return before ? other.toString().slice(-64) : other.toString().slice(0, 64);
  };
  const note = (range) => {
    form.elements.quote.value = getSelection().toString();
    form.elements.before.value = beside(range, true);
    form.elements.after.value = beside(range, false);
  };
  const look = () => {
    if (form.contains(document.activeElement)) return;
    const range = chosen();
    form.hidden = !range;
    if (range) note(range);
    else keying = false;
  };
  const mark = (colour) => { if (chosen()) { look(); form.querySelector(`[value=${colour}]`).click(); } };
  document.addEventListener("selectionchange", look);

  // --- with keys: h takes the block in view; up and down another, left and right its end, with shift its start
  const blocks = [...text.querySelectorAll("p, li, h2, h3, h4, h5, h6, pre, td, figcaption, blockquote")]
    .filter((each) => each.textContent.trim() && !each.querySelector("p, li"));
  let at = 0;
  const take = (number) => {
    at = Math.max(0, Math.min(number, blocks.length - 1));
    getSelection().selectAllChildren(blocks[at]);
    blocks[at].scrollIntoView({ block: "nearest" });
  };
  const stretch = (forward, start) => {
    const selection = getSelection(), range = selection.getRangeAt(0).cloneRange();
    const way = forward ? "forward" : "backward";
    selection.collapse(start ? range.startContainer : range.endContainer, start ? range.startOffset : range.endOffset);
    selection.modify("move", way, "word");
    const { anchorNode, anchorOffset } = selection;
    if (start) selection.setBaseAndExtent(anchorNode, anchorOffset, range.endContainer, range.endOffset);
    else selection.setBaseAndExtent(range.startContainer, range.startOffset, anchorNode, anchorOffset);
    if (!chosen()) selection.setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset);
  };
  const colours = ["yellow", "green", "blue", "pink"];
  addEventListener("keydown", (event) => {
    const field = event.target.closest && event.target.closest("input, textarea, select, button");
    if (field || event.ctrlKey || event.metaKey || event.altKey || !blocks.length) return;
    if (event.key === "h") {
      if (chosen() && !keying) mark("yellow");
      else if (!keying) {
        keying = true;
        take(Math.max(0, blocks.findIndex((each) => each.getBoundingClientRect().top > 60)));
        said.textContent = "Up and down: another passage. Left and right: its end; with shift, its start. Enter or 1 to 4 marks it, Escape ends.";
      }
    } else if (!keying) return;
    else if (event.key === "ArrowDown") take(at + 1);
    else if (event.key === "ArrowUp") take(at - 1);
    else if (event.key === "ArrowRight") stretch(true, event.shiftKey);
    else if (event.key === "ArrowLeft") stretch(false, event.shiftKey);
    else if (event.key === "Enter") mark("yellow");
    else if (colours[Number(event.key) - 1]) mark(colours[Number(event.key) - 1]);
    else if (event.key === "Escape") { keying = false; getSelection().removeAllRanges(); }
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
})();
