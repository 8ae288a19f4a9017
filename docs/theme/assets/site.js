// What the pages do by themselves: palette, copying, the list of pages on a telephone, the section
// that is being read. The theme's own script comes when someone searches.
(() => {
  const all = (selector) => document.querySelectorAll(selector);
  const one = (selector) => document.querySelector(selector);
  const own = document.currentScript;

  // Palette -----------------------------------------------------------------------------------

  const palette = one(".pe-palette");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => document.body.dataset.mdColorScheme === "slate";
  const show = (on, media) => {
    one("#pe-dark").media = media;
    document.body.dataset.mdColorScheme = on ? "slate" : "default";
    palette.setAttribute("aria-pressed", on);
  };

  palette.setAttribute("aria-pressed", isDark());
  palette.addEventListener("click", () => {
    const on = !isDark();
    show(on, on ? "screen" : "not all");
    try { localStorage.setItem("pe.palette", on ? "dark" : "light"); } catch { /* not kept */ }
  });
  system.addEventListener("change", () => {
    if (one("#pe-dark").media.includes("prefers")) show(system.matches, one("#pe-dark").media);
  });

  // Programs ----------------------------------------------------------------------------------

  const words = JSON.parse(one("#__config").textContent).translations;
  for (const pre of all(".highlight:not(.language-text) > pre")) {
    const button = document.createElement("button");
    const say = (word) => {
      button.title = words[`clipboard.${word}`];
      button.setAttribute("aria-label", button.title);
      button.classList.toggle("pe-copy--done", word === "copied");
    };
    button.type = "button";
    button.className = "pe-copy";
    say("copy");
    button.addEventListener("click", async () => {
      const code = pre.querySelector("code");
      try {
        await navigator.clipboard.writeText(code.textContent);
      } catch {
        getSelection().selectAllChildren(code);
        document.execCommand("copy");
      }
      say("copied");
      setTimeout(say, 2000, "copy");
    });
    pre.append(button);
  }

  // Whoever scrolls with the keyboard must be able to get into what scrolls, and only there.
  const boxes = all(".highlight pre > code, .formula, .diagram, .table");
  const reach = () => boxes.forEach((box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  });
  addEventListener("resize", reach);
  addEventListener("load", reach);
  all("details").forEach((fold) => fold.addEventListener("toggle", reach));
  reach();

  // Pages and sections ------------------------------------------------------------------------

  const drawer = one("#__drawer");
  const menu = one("button.pe-menu");
  menu.addEventListener("click", () => drawer.click());
  drawer.addEventListener("change", () => {
    menu.setAttribute("aria-expanded", drawer.checked);
    (drawer.checked ? one(".pe-nav [aria-current]") || one(".pe-nav a") : menu).focus();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && drawer.checked) drawer.click();
  });
  all(".pe-nav__toc a").forEach((link) => link.addEventListener("click", () => drawer.click()));

  const reveal = (link) => {
    const box = link.closest(".md-sidebar");
    const far = link.getBoundingClientRect().top - box.getBoundingClientRect().top;
    if (far < 0 || far > box.clientHeight - 40) box.scrollTop += far - box.clientHeight / 2;
  };
  const here = one(".pe-nav [aria-current]");
  if (here) reveal(here);

  const sections = [...all(".pe-toc a")].reverse();
  let read;
  const follow = () => {
    const isPast = (link) => document.getElementById(link.hash.slice(1))?.getBoundingClientRect().top < innerHeight / 3;
    const now = sections.find(isPast);
    if (now === read) return;
    read?.removeAttribute("aria-current");
    read = now;
    read?.setAttribute("aria-current", "true");
    reveal(read || sections[sections.length - 1]);
  };
  addEventListener("scroll", () => requestAnimationFrame(follow), { passive: true });
  follow();

  // Folded answers: open the one that an address points into, and all of them on paper.
  const unfold = () => {
    const fold = location.hash && document.getElementById(location.hash.slice(1))?.closest("details");
    if (fold && !fold.open) {
      fold.open = true;
      fold.scrollIntoView();
    }
  };
  addEventListener("hashchange", unfold);
  unfold();
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...all("details:not([open])")];
    folded.forEach((fold) => { fold.open = true; });
  });
  addEventListener("afterprint", () => folded.forEach((fold) => { fold.open = false; }));

  // The other language has the same sections.
  one(".pe-language")?.addEventListener("click", (event) => {
    event.currentTarget.hash = location.hash;
  });

  // Search ------------------------------------------------------------------------------------

  const query = one(".md-search__input");
  const find = one(".pe-find");
  const search = one("#__search");
  const open = () => {
    if (!search.checked) search.click();
    query.focus();
  };
  let loading;
  const load = () => {
    if (loading) return;
    loading = document.createElement("script");
    loading.src = own.dataset.search;
    document.body.append(loading);
  };

  for (const part of [find, query]) {
    part.addEventListener("pointerenter", load);
    part.addEventListener("focus", load);
  }
  query.addEventListener("focus", open);
  find.addEventListener("click", open);
  query.form.addEventListener("submit", (event) => event.preventDefault());
  one(".md-search").addEventListener("keydown", ({ key }) => {
    if (!search.checked || (key !== "Escape" && key !== "Tab")) return;
    search.click();
    if (key === "Tab") return;
    if (find.offsetParent) find.focus();
    else document.activeElement.blur();
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "k" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    open();
  });
  // The theme has shortcuts of a single letter, which get in the way of those who speak to their
  // computer; they would begin to work once someone has searched.
  addEventListener("keydown", (event) => {
    const alone = !(event.ctrlKey || event.metaKey || event.altKey || search.checked);
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (alone && !typing && event.key.length === 1) event.stopImmediatePropagation();
  }, true);

  // The words that led from the search to this page. The theme would mark them when a page is
  // ready, and its script comes later here.
  const escaped = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const sought = (new URLSearchParams(location.search).get("h") || "").match(/\S+/g);
  if (sought) {
    const found = new RegExp(`(${sought.map(escaped).join("|")})`, "gi");
    const walker = document.createTreeWalker(one("article"), NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts.filter((node) => !node.parentElement.closest("math, svg, script, style"))) {
      const pieces = text.data.split(found); // every second one matches
      if (pieces.length > 1) {
        text.replaceWith(...pieces.map((piece, index) => {
          if (index % 2 === 0) return piece;
          const mark = document.createElement("mark");
          mark.textContent = piece;
          return mark;
        }));
      }
    }
  }
})();
