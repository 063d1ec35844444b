// Numbers as they are read.

export const number = new Intl.NumberFormat("en");

export function percent(share, digits = 1) {
  // A share that is just below nothing is nothing.
  return `${Math.abs(100 * share).toFixed(digits)} %`;
}
