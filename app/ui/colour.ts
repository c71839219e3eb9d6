/** `#rrggbb` or `#rrggbbaa`. */
export type Colour = `#${string}`;

/**
 * A mixture of two colours in OKLab, like `color-mix(in oklab, …)`, which the oldest supported browsers lack.
 *
 * @param share of the first colour, 0 to 1
 */
export function mixed(first: Colour, second: Colour, share: number): Colour {
  const others = oklab(second);
  return fromOklab(oklab(first).map((part, index) => part * share + (others[index] ?? 0) * (1 - share)));
}

/** @param by in OKLab, where black is 0 and white is 1; negative for a darker colour */
export function lightened(colour: Colour, by: number): Colour {
  const [lightness = 0, ...rest] = oklab(colour);
  return fromOklab([lightness + by, ...rest]);
}

/** @param degrees on OKLCH's circle of hues */
export function turned(colour: Colour, degrees: number): Colour {
  const [lightness = 0, a = 0, b = 0] = oklab(colour);
  const chroma = Math.hypot(a, b);
  const hue = Math.atan2(b, a) + (degrees * Math.PI) / 180;
  return fromOklab([lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)]);
}

/** @param opacity 0 to 1 */
export function faded(colour: Colour, opacity: number): Colour {
  return hex([...channels(colour), opacity * 255]);
}

/** The contrast ratio of two colours, 1 to 21. https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(first: Colour, second: Colour): number {
  const [dark = 0, light = 0] = [luminance(first), luminance(second)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Colour): number {
  return dot([0.2126, 0.7152, 0.0722], linear(colour));
}

/** https://bottosson.github.io/posts/oklab/ */
function oklab(colour: Colour): number[] {
  const cones = LINEAR_TO_CONES.map((row) => Math.cbrt(dot(row, linear(colour))));
  return CONES_TO_OKLAB.map((row) => dot(row, cones));
}

/** Colours that screens cannot show are clipped. */
function fromOklab(parts: number[]): Colour {
  const cones = OKLAB_TO_CONES.map((row) => dot(row, parts) ** 3);
  return hex(
    CONES_TO_LINEAR.map((row) => {
      const light = Math.min(Math.max(dot(row, cones), 0), 1);
      return 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055);
    }),
  );
}

const LINEAR_TO_CONES = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const CONES_TO_OKLAB = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];
const OKLAB_TO_CONES = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
];
const CONES_TO_LINEAR = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
];

function dot(row: number[], parts: number[]): number {
  return row.reduce((sum, factor, index) => sum + factor * (parts[index] ?? 0), 0);
}

/** Red, green and blue as amounts of light, 0 to 1. */
function linear(colour: Colour): number[] {
  return channels(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
}

function channels(colour: Colour): number[] {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) throw new Error(`${colour} is not a colour of the form #rrggbb`);
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}

function hex(channels: number[]): Colour {
  return `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;
}
