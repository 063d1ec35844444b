// Elements, made without ever parsing text: whatever a person typed stays text.

const SVG = "http://www.w3.org/2000/svg";

export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/** A drawing that is told to those who do not see it. */
export function picture(width, height, label, ...children) {
  const box = `0 0 ${width} ${height}`;
  return svg("svg", { viewBox: box, role: "img", "aria-label": label }, ...children);
}

/** Buttons that keep the focus when they can do nothing for the moment. */
export function enable(button, isEnabled) {
  button.setAttribute("aria-disabled", String(!isEnabled));
}

export function onPress(button, act) {
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") !== "true") act();
  });
}

export function byId(id) {
  return document.getElementById(id);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}
