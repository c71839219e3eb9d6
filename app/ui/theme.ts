import { type Colour, faded, mixed } from "#app/ui/colour.ts";

/**
 * Every colour of the site. Stylesheets, emails, charts, icons, pictures and the manifest take theirs from here; no other
 * file has a colour of its own. After a change: npm run generate:images.
 *
 * In CSS, the role `buttonHover` is `var(--button-hover)`. Text and controls must keep the contrast of WCAG AA in both
 * schemes, which the browser tests measure.
 */

/** A role's colour in the light and the dark scheme, or one colour for both. */
type Shades = Colour | readonly [light: Colour, dark: Colour];

type Palette = Record<string, Shades>;

// The main colours: light, dark.
const awning = ["#1f6f5c", "#5cc2a5"] as const;
const marigold = ["#e9a23b", "#f4b95a"] as const;
const terracotta = ["#b8492f", "#e58367"] as const;
const paper = ["#fbf6ec", "#141b2d"] as const;
const ink = ["#23302b", "#f3ebdd"] as const;
const line = ["#e4d9c3", "#2b3550"] as const;

const chalk = "#f3ebdd";
const highlight = "#f9d48f";
const slate = "#26352f";
const white = "#ffffff";

/** What every page shows first. */
const page = {
  primary: awning,
  secondary: marigold,
  border: line,
  error: terracotta,
  success: awning,
  button: awning,
  buttonHover: ["#17574a", "#7bd2b9"],
  buttonText: [white, "#10201f"],

  paper,
  raised: ["#fffdf8", "#1b2440"],
  ink,
  inkSoft: ["#55605a", "#b9bdc6"],
  muted: [mixed(ink[0], paper[0], 0.75), mixed(ink[1], paper[1], 0.75)],
  link: ["#1a6151", "#7bd2b9"],
  terracotta,
  successTint: [faded(awning[0], 0.12), faded(awning[1], 0.12)],
  /** Borders of controls, which need more contrast than decorative ones. */
  edge: ["#7f8577", "#7684a8"],
  focus: [ink[0], marigold[1]],
  /** The two shadows of a card; in the dark scheme the first one is a gleam on its upper edge. */
  liftNear: [faded("#463214", 0.08), faded("#ffdca0", 0.06)],
  liftFar: [faded("#463214", 0.25), faded("#000000", 0.7)],
  /** The light that falls on a card from above, in the dark scheme. */
  lampGlow: faded("#ffc86e", 0.17),

  /** The header, and the browser's own bar around the page. */
  bar: [awning[0], "#0e1422"],
  barInk: [white, chalk],
  fringe: [paper[0], marigold[1]],
  fringeShadow: [faded("#281e0a", 0.22), faded("#ffbe5a", 0.55)],
  /** Buttons, links and focus rings on the header and on other dark surfaces. */
  highlight,
  highlightHover: white,
  highlightInk: ink[0],

  logoHost: "#fdf3dd",
  logoMaker: "#f0ab48",
  logoCloth: "#f8d79b",
  logoStripe: "#c9593c",
} as const satisfies Palette;

/** Illustrations: flat cut paper with soft pen outlines. */
const illustrations = {
  pen: [ink[0], "#0d1322"],
  cloth: ["#fdf3dd", "#f0dcb6"],
  green: ["#2c7d69", "#2f8f79"],
  gold: marigold,
  clay: ["#c2573b", "#d96f50"],
  wood: ["#8a5a3b", "#5d4236"],
  inside: ["#e6d2ac", "#f7c873"],
  far: ["#dfdcc0", "#262f4e"],
  hill: ["#bfcfa6", "#213a48"],
  grass: ["#9dbb8b", "#1c3a3c"],
  trail: ["#f0ddb4", "#7a685d"],
  leaf: ["#5f936f", "#1f4a4a"],
  sun: ["#f6c667", "#f8e7c0"],
  skin: ["#e8b48e", "#d99f7a"],
  skin2: "#8d5a3f",
  skin3: "#c98c63",
  hair: ["#3a2c2a", "#2a2030"],
  slate,
  chalk,
  sky: [paper[0], "#10172a"],
  horizon: ["#fbe3b4", "#45395a"],
  wire: [ink[0], "#59628a"],
  bulb: "#ffe2a0",
  bulbGlow: "#ffc766",
  bulbHaze: "#ffb84d",
  lampLight: "#ffd98a",
} as const satisfies Palette;

/** Sections further down a page, and the footer. */
const sections = {
  /** The blackboard of features, in its wooden frame. */
  board: [slate, "#1a2524"],
  boardFrame: ["#9a6a44", "#5a4238"],
  boardLine: ["#4c5f56", "#41504b"],
  boardInk: chalk,
  boardInkSoft: "#d5d6c8",
  hostsText: "#7fd3ba",
  hostsLine: "#5cc2a5",
  stallholdersText: "#f4b39a",
  stallholdersLine: "#f0a284",

  /** Around the survey's form, which another site draws for white paper. */
  surveyPaper: white,

  footer: ["#1c4f43", page.bar[1]],
  footerInk: chalk,

  starWarm: "#fff1cf",
  starCool: "#dfe6ff",
  starFaint: "#a9b4de",
} as const satisfies Palette;

const upcoming = [mixed(ink[0], paper[0], 0.55), mixed(ink[1], paper[1], 0.55)] as const;

/** The roadmap's statuses: an icon's colour, and a background for text. */
const roadmap = {
  completed: awning,
  completedTint: [mixed(awning[0], paper[0], 0.14), mixed(awning[1], paper[1], 0.14)],
  inProgress: marigold,
  inProgressTint: [mixed(marigold[0], paper[0], 0.14), mixed(marigold[1], paper[1], 0.14)],
  inProgressCard: [mixed(marigold[0], paper[0], 0.09), mixed(marigold[1], paper[1], 0.09)],
  upcoming,
  upcomingTint: [mixed(upcoming[0], paper[0], 0.14), mixed(upcoming[1], paper[1], 0.14)],
  statusTick: [white, illustrations.sky[1]],
  signpost: [illustrations.wood[0], "#a87a5c"],
} as const satisfies Palette;

/** Emails. Their other colours are those of the page. */
const email = { emailPaper: [white, page.raised[1]] } as const satisfies Palette;

/** Buttons that erase. */
const danger = {
  danger: "#a33d24",
  dangerHover: "#8b311b",
  dangerText: white,
} as const satisfies Palette;

/** The owner's pages. */
const owner = {
  barHover: faded(white, 0.14),
  errorTint: [faded(terracotta[0], 0.1), faded(terracotta[1], 0.1)],
  chartLine: ["#a2660d", marigold[1]],
  layer1: awning,
  layer2: ["#b87a14", marigold[1]],
  layer3: terracotta,
  layer4: ["#6b5b95", "#b3a4dd"],
  layer5: ["#8a8f7c", "#9aa3b8"],
  layer6: ["#2f6ea3", "#7db7e8"],
  /** QR codes, which phones read best as black on white. */
  qrInk: "#000000",
  qrPaper: white,
} as const satisfies Palette;

/** The roles by the stylesheets that need them: `@palette page;` in CSS defines a group's custom properties. */
export const palette = { page, illustrations, sections, roadmap, danger, owner, email } as const;

export type Role = {
  [Group in keyof typeof palette]: keyof (typeof palette)[Group];
}[keyof typeof palette];

/** A role's colour where custom properties do not reach: emails, icons, attributes. */
export function colour(role: Role, scheme: "light" | "dark" = "light"): Colour {
  const shades = shadesOf(role);
  return typeof shades === "string" ? shades : shades[scheme === "light" ? 0 : 1];
}

function shadesOf(role: Role): Shades {
  const all: Palette = Object.assign({}, ...Object.values(palette));
  const shades = all[role];
  if (shades === undefined) throw new Error(`app/ui/theme.ts has no colour ${role}`);
  return shades;
}
