import { type Colour, faded, lightened, mixed, turned } from "#app/ui/colour.ts";

/**
 * Every colour of the site. Stylesheets, emails, charts, icons, pictures and the manifest take theirs from here; no other
 * file has a colour of its own. After a change: npm run generate:images, which also checks the contrast of text and
 * controls (scripts/check-contrast.ts).
 *
 * In CSS, the role `buttonHover` is `var(--button-hover)`.
 */

type Pair = readonly [light: Colour, dark: Colour];

/** A role's colours, or one for both schemes. */
type Shades = Colour | Pair;

type Palette = Record<string, Shades>;

// The main colours: light, dark. All others are made of them, except those of wood, skin and hair.
const awning = ["#1f6f5c", "#5cc2a5"] as const;
const marigold = ["#e9a23b", "#f4b95a"] as const;
const terracotta = ["#b8492f", "#e58367"] as const;
const paper = ["#fbf6ec", "#141b2d"] as const;
const ink = ["#23302b", "#f3ebdd"] as const;
const line = ["#e4d9c3", "#2b3550"] as const;

const wood = ["#8a5a3b", "#5d4236"] as const;

const white = "#ffffff";
const black = "#000000";

const chalk = ink[1];
const slate = mixed(ink[0], awning[0], 0.92);
const cream = mixed(paper[0], marigold[0], 0.92);
const raised = [mixed(paper[0], white, 0.3), lightened(line[1], -0.06)] as const;
const bar = [awning[0], mixed(paper[1], black, 0.86)] as const;
/** Of the sun and the lamps. */
const glow = lightened(turned(marigold[1], 5), 0.03);
const highlight = mixed(glow, white, 0.7);

/** What every page shows first. */
const page = {
  primary: awning,
  secondary: marigold,
  border: line,
  error: terracotta,
  success: awning,
  button: awning,
  buttonHover: [mixed(awning[0], black, 0.84), mixed(awning[1], white, 0.8)],
  buttonText: [white, mixed(ink[0], black, 0.78)],

  paper,
  raised,
  ink,
  inkSoft: [mixed(ink[0], paper[0], 0.74), mixed(white, line[1], 0.7)],
  muted: [mixed(ink[0], paper[0], 0.72), mixed(ink[1], paper[1], 0.78)],
  link: [mixed(awning[0], black, 0.9), mixed(awning[1], white, 0.8)],
  successTint: mix(awning, paper, 0.13),
  /** Borders of controls, which need more contrast than decorative ones. */
  edge: [mixed(ink[0], line[0], 0.48), lightened(line[1], 0.29)],
  focus: [ink[0], marigold[1]],
  /** The two shadows of a card; in the dark scheme the first one is a gleam on its upper edge. */
  liftNear: [faded(mixed(marigold[0], black, 0.4), 0.08), faded(highlight, 0.06)],
  liftFar: [faded(mixed(marigold[0], black, 0.4), 0.25), faded(black, 0.7)],
  /** The light that falls on a card from above, in the dark scheme. */
  lampGlow: faded(mixed(glow, white, 0.9), 0.17),

  /** The header, and the browser's own bar around the page. */
  bar,
  barInk: [white, chalk],
  fringe: [paper[0], marigold[1]],
  fringeShadow: [faded(mixed(marigold[0], black, 0.25), 0.22), faded(marigold[1], 0.55)],
  /** Buttons, links and focus rings on the header and on other dark surfaces. */
  highlight,
  highlightHover: white,
  highlightInk: ink[0],

  logoHost: cream,
  logoMaker: mixed(marigold[0], marigold[1], 0.58),
  logoCloth: mixed(glow, white, 0.65),
  logoStripe: mixed(terracotta[0], terracotta[1], 0.7),
} as const satisfies Palette;

/** Illustrations: flat cut paper with soft pen outlines. */
const illustrations = {
  pen: [ink[0], mixed(paper[1], black, 0.84)],
  cloth: [cream, mixed(chalk, marigold[1], 0.68)],
  green: [mixed(awning[0], awning[1], 0.85), mixed(awning[0], awning[1], 0.62)],
  gold: marigold,
  clay: [mixed(terracotta[0], white, 0.92), mixed(terracotta[1], terracotta[0], 0.68)],
  wood,
  inside: [mixed(line[0], marigold[0], 0.84), mixed(glow, white, 0.86)],
  far: [mixed(line[0], meadow(1), 0.9), lightened(line[1], 0.03)],
  hill: [meadow(0.65), mixed(paper[1], awning[1], 0.8)],
  grass: [meadow(1), mixed(paper[1], awning[0], 0.62)],
  trail: [lightened(mixed(line[0], glow, 0.72), 0.03), mixed(glow, mixed(wood[1], paper[1], 0.8), 0.24)],
  leaf: [mixed(awning[0], meadow(1), 0.5), mixed(awning[0], paper[1], 0.58)],
  sun: [mixed(glow, white, 0.94), mixed(white, glow, 0.62)],
  skin: ["#e8b48e", "#d99f7a"],
  skin2: "#8d5a3f",
  skin3: "#c98c63",
  hair: ["#3a2c2a", "#2a2030"],
  slate,
  chalk,
  sky: [paper[0], mixed(paper[1], black, 0.94)],
  horizon: [mixed(paper[0], glow, 0.62), lightened(turned(line[1], 32), 0.03)],
  wire: [ink[0], lightened(line[1], 0.18)],
  bulb: mixed(glow, white, 0.62),
  bulbGlow: mixed(glow, white, 0.94),
  bulbHaze: marigold[1],
  lampLight: mixed(glow, white, 0.74),
} as const satisfies Palette;

const { bulb, bulbGlow, bulbHaze, lampLight, ...drawn } = illustrations;

/** Drawings that save ink: outlines, in which what stands in front hides what is behind it. */
const outlines = {
  ...all(drawn, white),
  pen: black,
  wire: black,
  chalk: black,
  logoHost: white,
  logoMaker: white,
  logoCloth: white,
  logoStripe: white,
  paper: white,
  raised: white,
  ink: black,
  bar: white,
  barInk: black,
} as const satisfies Palette;

/** Sections further down a page, and the footer. */
const sections = {
  /** The blackboard of features, in its wooden frame. */
  board: [slate, mixed(ink[0], black, 0.86)],
  boardFrame: ["#9a6a44", "#5a4238"],
  boardLine: [mixed(slate, white, 0.78), mixed(ink[0], white, 0.82)],
  boardInk: chalk,
  boardInkSoft: mixed(chalk, ink[0], 0.88),
  hostsText: mixed(awning[1], white, 0.78),
  hostsLine: awning[1],
  stallholdersText: mixed(terracotta[1], white, 0.62),
  stallholdersLine: mixed(terracotta[1], white, 0.76),

  /** The invitation among the ways to help: a marigold card, in the dark scheme one that a lamp shines on. */
  wayJoin: [marigold[0], mixed(paper[1], marigold[1], 0.74)],
  wayJoinLine: marigold,

  /** Around the survey's form, which another site draws for white paper. */
  surveyPaper: white,

  footer: [mixed(awning[0], black, 0.8), bar[1]],
  footerInk: chalk,

  starWarm: mixed(white, glow, 0.68),
  starCool: lightened(line[1], 0.59),
  starFaint: lightened(line[1], 0.45),
} as const satisfies Palette;

const upcoming = [mixed(ink[0], paper[0], 0.52), mixed(ink[1], paper[1], 0.58)] as const;

/** The roadmap's statuses: an icon's colour, and a background for text. */
const roadmap = {
  completed: awning,
  completedTint: mix(awning, paper, 0.15),
  inProgress: marigold,
  inProgressTint: mix(marigold, paper, 0.16),
  inProgressCard: mix(marigold, paper, 0.1),
  upcoming,
  upcomingTint: mix(upcoming, paper, 0.14),
  statusTick: [white, illustrations.sky[1]],
  signpost: [wood[0], "#a87a5c"],
} as const satisfies Palette;

/** Emails. Their other colours are those of the page. */
const email = { emailPaper: [white, raised[1]] } as const satisfies Palette;

const danger = {
  danger: mixed(terracotta[0], black, 0.9),
  dangerHover: mixed(terracotta[0], black, 0.8),
  dangerText: white,
} as const satisfies Palette;

const owner = {
  barHover: [mixed(bar[0], white, 0.88), mixed(bar[1], white, 0.88)],
  errorTint: mix(terracotta, paper, 0.11),
  chartLine: [mixed(marigold[0], black, 0.74), marigold[1]],
  layer1: awning,
  layer2: [mixed(marigold[0], black, 0.82), marigold[1]],
  layer3: terracotta,
  layer4: [turned(awning[0], 125), turned(awning[1], 125)],
  layer5: [mixed(ink[0], line[0], 0.42), lightened(line[1], 0.39)],
  layer6: [turned(awning[0], 75), turned(awning[1], 75)],
  layer7: [turned(terracotta[0], -60), turned(terracotta[1], -60)],
  /** QR codes, which phones read best as black on white. */
  qrInk: black,
  qrPaper: white,
} as const satisfies Palette;

/**
 * The roles by the stylesheets that need them: `@palette page;` in CSS defines a group's custom properties. The first group
 * has other colours for roles of later ones.
 */
export const palette = { outlines, page, illustrations, sections, roadmap, danger, owner, email } as const;

export type Role = {
  [Group in keyof typeof palette]: keyof (typeof palette)[Group];
}[keyof typeof palette];

/** A role's colour where custom properties do not reach: emails, icons, attributes. */
export function colour(role: Role, scheme: "light" | "dark" = "light"): Colour {
  const all: Palette = Object.assign({}, ...Object.values(palette));
  const shades = all[role];
  if (shades === undefined) throw new Error(`app/ui/theme.ts has no colour ${role}`);
  return typeof shades === "string" ? shades : shades[scheme === "light" ? 0 : 1];
}

/** The colour of grass by day, between the awning and the marigold, in front of the paper. */
function meadow(share: number): Colour {
  return mixed(mixed(awning[1], marigold[0], 0.68), paper[0], share);
}

function all<Role extends string>(roles: Record<Role, Shades>, colour: Colour): Record<Role, Colour> {
  return Object.fromEntries(Object.keys(roles).map((role) => [role, colour])) as Record<Role, Colour>;
}

function mix(first: Pair, second: Pair, share: number): Pair {
  return [mixed(first[0], second[0], share), mixed(first[1], second[1], share)];
}
