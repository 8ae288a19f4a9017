// The palette button, and what the two switches of the theme lack for the keyboard.
(() => {
  const dark = document.getElementById("pe-dark");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const button = document.querySelector(".pe-palette");
  const isDark = () => document.body.dataset.mdColorScheme === "slate";

  const show = (on, media) => {
    dark.media = media;
    document.body.dataset.mdColorScheme = on ? "slate" : "default";
    button.setAttribute("aria-pressed", on);
  };
  const chosen = () => {
    try { return localStorage.getItem("pe.palette"); } catch { return null; }
  };

  button.hidden = false;
  button.setAttribute("aria-pressed", isDark());
  button.addEventListener("click", () => {
    const on = !isDark();
    show(on, on ? "screen" : "not all");
    try { localStorage.setItem("pe.palette", on ? "dark" : "light"); } catch { /* not kept */ }
  });
  system.addEventListener("change", () => {
    if (!chosen()) show(system.matches, "screen and (prefers-color-scheme: dark)");
  });

  for (const opener of document.querySelectorAll("[data-pe-toggle]")) {
    const toggle = document.getElementById(opener.dataset.peToggle);
    opener.addEventListener("click", () => toggle.click());
    toggle.addEventListener("change", () => opener.setAttribute("aria-expanded", toggle.checked));
  }

  const drawer = document.getElementById("__drawer");
  const nav = document.querySelector(".pe-nav");
  drawer.addEventListener("change", () => {
    if (drawer.checked) nav.querySelector("[aria-current], a").focus();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && drawer.checked) {
      drawer.click();
      document.querySelector("button.pe-menu").focus();
    }
  });
})();
