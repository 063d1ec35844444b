// Tabs in the way that keyboards and screen readers know them.

export function tabs(list, changed) {
  const all = [...list.querySelectorAll("[role=tab]")];
  const choose = (tab) => {
    for (const other of all) {
      const isChosen = other === tab;
      other.setAttribute("aria-selected", String(isChosen));
      other.tabIndex = isChosen ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).hidden = !isChosen;
    }
    changed(tab);
  };
  list.addEventListener("click", ({ target }) => all.includes(target) && choose(target));
  list.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = all.at((all.indexOf(document.activeElement) + step) % all.length);
    next.focus();
    choose(next);
  });
}
