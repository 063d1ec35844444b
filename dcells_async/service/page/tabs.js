// Tabs in the way that keyboards and screen readers know them.

export function tabs(list) {
  const all = [...list.querySelectorAll("[role=tab]")];
  const choose = (tab) => {
    for (const other of all) {
      const isChosen = other === tab;
      other.setAttribute("aria-selected", String(isChosen));
      other.tabIndex = isChosen ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).hidden = !isChosen;
    }
  };
  list.addEventListener("click", ({ target }) => all.includes(target) && choose(target));
  list.addEventListener("keydown", (event) => {
    const at = all.indexOf(event.target);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = all.at(to % all.length);
    next.focus();
    choose(next);
  });
}
