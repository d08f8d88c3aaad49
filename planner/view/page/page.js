"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const groups = [...document.querySelectorAll(".group")];
  document.querySelectorAll("[hidden]").forEach((e) => { e.hidden = false; });

  // Light or dark, first as the system says.
  const root = document.documentElement;
  let dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const label = () => { $("theme").textContent = dark ? "Light" : "Dark"; };
  $("theme").addEventListener("click", () => {
    dark = !dark;
    root.dataset.theme = dark ? "dark" : "light";
    label();
  });
  label();

  // Every word of the search must be in a group. #search=WORDS searches at once.
  const search = $("search");
  if (search) {
    const show = () => {
      const words = search.value.toLowerCase().replaceAll('"', "").split(/\s+/).filter(Boolean);
      let found = 0;
      for (const g of groups) {
        g.hidden = !words.every((w) => g.dataset.words.includes(w));
        if (!g.hidden) found++;
      }
      $("found").textContent = words.length ? found + " of " + groups.length : "";
    };
    search.addEventListener("input", show);
    const asked = /^#search=(.*)$/.exec(location.hash);
    if (asked) {
      try { search.value = decodeURIComponent(asked[1]); } catch { search.value = asked[1]; }
      show();
    }
    document.addEventListener("keydown", (e) => {
      if (e.key === "/" && document.activeElement !== search) { e.preventDefault(); search.focus(); }
    });
    const all = (open) => () => groups.forEach((g) => { if (!g.hidden) g.open = open; });
    $("unfold").addEventListener("click", all(true));
    $("fold").addEventListener("click", all(false));
  }

  // The graph: what of it is seen is its viewBox.
  const picture = document.querySelector(".picture");
  if (!picture) return;
  const svg = picture.querySelector("svg");
  const whole = svg.getAttribute("viewBox").split(" ").map(Number);
  let view = whole;
  const set = (v) => { view = v; svg.setAttribute("viewBox", v.map((n) => n.toFixed(2)).join(" ")); };
  const zoom = (factor, x = 0.5, y = 0.5) => {
    const width = Math.min(Math.max(view[2] * factor, 40), whole[2] * 4);
    const height = view[3] * width / view[2];
    set([view[0] + (view[2] - width) * x, view[1] + (view[3] - height) * y, width, height]);
  };
  $("closer").addEventListener("click", () => zoom(1 / 1.4));
  $("farther").addEventListener("click", () => zoom(1.4));
  $("fit").addEventListener("click", () => set(whole));
  picture.addEventListener("wheel", (e) => {
    if (!e.ctrlKey) return;
    e.preventDefault();
    const r = svg.getBoundingClientRect();
    zoom(Math.exp(e.deltaY / 400), (e.clientX - r.left) / r.width, (e.clientY - r.top) / r.height);
  }, { passive: false });
  let from = null;
  picture.addEventListener("pointerdown", (e) => { from = [e.clientX, e.clientY, view]; picture.setPointerCapture(e.pointerId); });
  picture.addEventListener("pointerup", () => { from = null; });
  picture.addEventListener("pointermove", (e) => {
    if (!from) return;
    const r = svg.getBoundingClientRect();
    const scale = Math.max(from[2][2] / r.width, from[2][3] / r.height);
    set([from[2][0] - (e.clientX - from[0]) * scale, from[2][1] - (e.clientY - from[1]) * scale, from[2][2], from[2][3]]);
  });
})();
