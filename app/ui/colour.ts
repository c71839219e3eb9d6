/** `#rrggbb` or `#rrggbbaa`. */
export type Colour = `#${string}`;

/**
 * A mixture of two colours, computed here because the oldest supported browsers lack `color-mix()`.
 *
 * @param share of the first colour, 0 to 1
 */
export function mixed(first: Colour, second: Colour, share: number): Colour {
  const others = channels(second);
  return hex(channels(first).map((channel, index) => channel * share + (others[index] ?? 0) * (1 - share)));
}

/**
 * @param opacity 0 to 1
 */
export function faded(colour: Colour, opacity: number): Colour {
  return hex([...channels(colour), opacity * 255]);
}

function channels(colour: Colour): number[] {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) throw new Error(`${colour} is not a colour of the form #rrggbb`);
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}

function hex(channels: number[]): Colour {
  return `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;
}
