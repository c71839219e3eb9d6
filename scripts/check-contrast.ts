// Fails if text or a control of app/ui/theme.ts has too little contrast with what is behind it.
import { contrast } from "#app/ui/colour.ts";
import { colour, type Role } from "#app/ui/theme.ts";

/** What WCAG AA asks: of controls, charts and focus rings less than of text. */
const needed = { text: 4.5, control: 3 } as const;

type Kind = keyof typeof needed;

const pairs: readonly (readonly [Kind, Role, on: readonly Role[]])[] = [
  ["text", "ink", ["paper", "raised", "sky", "emailPaper", "successTint", "errorTint"]],
  ["text", "ink", ["inProgressCard", "completedTint", "inProgressTint", "upcomingTint"]],
  ["text", "inkSoft", ["paper", "raised", "sky", "inProgressCard", "successTint", "errorTint"]],
  ["text", "muted", ["paper", "raised"]],
  ["text", "link", ["paper", "raised", "sky", "emailPaper", "inProgressCard", "successTint", "errorTint"]],
  ["text", "primary", ["sky", "emailPaper"]],
  ["text", "success", ["paper", "raised"]],
  ["text", "error", ["paper", "raised"]],
  ["text", "buttonText", ["button", "buttonHover", "primary"]],
  ["text", "dangerText", ["danger", "dangerHover"]],
  ["text", "barInk", ["bar", "barHover"]],
  ["text", "highlightInk", ["highlight", "highlightHover"]],
  ["text", "footerInk", ["footer"]],
  ["text", "boardInk", ["board"]],
  ["text", "boardInkSoft", ["board"]],
  ["text", "highlight", ["board"]],
  ["text", "hostsText", ["board"]],
  ["text", "stallholdersText", ["board"]],
  ["control", "edge", ["paper", "raised", "sky"]],
  ["control", "focus", ["paper", "raised", "sky"]],
  ["control", "highlight", ["bar", "footer", "board"]],
  ["control", "button", ["paper", "raised", "sky"]],
  ["control", "statusTick", ["green"]],
  ["control", "green", ["paper"]],
  ["control", "chartLine", ["raised"]],
  ["control", "layer1", ["raised"]],
  ["control", "layer2", ["raised"]],
  ["control", "layer3", ["raised"]],
  ["control", "layer4", ["raised"]],
  ["control", "layer5", ["raised"]],
  ["control", "layer6", ["raised"]],
  ["control", "layer7", ["raised"]],
];

const problems = pairs.flatMap(([kind, role, backgrounds]) =>
  (["light", "dark"] as const).flatMap((scheme) =>
    backgrounds.flatMap((background) => {
      const measured = contrast(colour(role, scheme), colour(background, scheme));
      if (measured >= needed[kind]) return [];
      // Rounded down, so that 4.499 does not read as enough.
      const ratio = Math.floor(measured * 100) / 100;
      return `${role} on ${background}, ${scheme} scheme: ${ratio}:1, but ${kind === "text" ? "text needs" : "a control needs"} ${needed[kind]}:1`;
    }),
  ),
);

if (problems.length > 0) {
  console.error(`app/ui/theme.ts: too little contrast\n${problems.join("\n")}`);
  process.exit(1);
}
