// Fails if text or a control of app/ui/theme.ts has too little contrast with what is behind it.
import { contrast } from "#app/ui/colour.ts";
import { colour, type Role } from "#app/ui/theme.ts";

/** What WCAG AA asks: of controls, charts and focus rings less than of text. */
const needed = { text: 4.5, control: 3 } as const;

type Kind = keyof typeof needed;

type Scheme = "light" | "dark";

const pairs: readonly (readonly [Kind, roles: readonly Role[], on: readonly Role[], only?: Scheme])[] = [
  ["text", ["ink"], ["paper", "raised", "sky", "emailPaper", "successTint", "errorTint"]],
  ["text", ["ink"], ["inProgressCard", "completedTint", "inProgressTint", "upcomingTint"]],
  ["text", ["inkSoft"], ["paper", "raised", "sky", "inProgressCard", "successTint", "errorTint"]],
  ["text", ["link"], ["paper", "raised", "sky", "emailPaper", "inProgressCard", "successTint", "errorTint"]],
  ["text", ["muted", "success", "error"], ["paper", "raised"]],
  ["text", ["ink"], ["wayJoin"]],
  ["text", ["inkSoft", "link"], ["wayJoin"], "dark"],
  ["control", ["focus"], ["wayJoin"]],
  ["text", ["primary"], ["sky", "emailPaper"]],
  ["text", ["buttonText"], ["button", "buttonHover", "primary"]],
  ["text", ["dangerText"], ["danger", "dangerHover"]],
  ["text", ["barInk"], ["bar", "barHover"]],
  ["text", ["highlightInk"], ["highlight", "highlightHover", "secondary"]],
  ["text", ["footerInk"], ["footer"]],
  ["text", ["boardInk", "boardInkSoft", "highlight", "hostsText", "stallholdersText"], ["board"]],
  ["control", ["edge", "focus", "button"], ["paper", "raised", "sky"]],
  ["control", ["highlight"], ["bar", "footer", "board"]],
  ["control", ["statusTick"], ["green"]],
  ["control", ["green"], ["paper"]],
  ["control", ["chartLine", "layer1", "layer2", "layer3", "layer4", "layer5", "layer6", "layer7"], ["raised"]],
];

const problems: string[] = [];
for (const [kind, roles, backgrounds, only] of pairs) {
  for (const scheme of only ? [only] : (["light", "dark"] as const)) {
    for (const [role, background] of roles.flatMap((role) => backgrounds.map((on) => [role, on] as const))) {
      const measured = contrast(colour(role, scheme), colour(background, scheme));
      if (measured >= needed[kind]) continue;
      // Rounded down, so that 4.499 does not read as enough.
      const ratio = Math.floor(measured * 100) / 100;
      const need = `${kind === "text" ? "text needs" : "a control needs"} ${needed[kind]}:1`;
      problems.push(`${role} on ${background}, ${scheme} scheme: ${ratio}:1, but ${need}`);
    }
  }
}

if (problems.length > 0) {
  console.error(`app/ui/theme.ts: too little contrast\n${problems.join("\n")}`);
  process.exit(1);
}
