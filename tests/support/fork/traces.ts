import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Switch } from "#tests/support/switched-off.ts";

/** What only browsers' code, styles or texts of a part or feature have. Null: nothing of it is for browsers. */
const traces: Record<Switch, RegExp | null> = {
  largeLogo: /large-logo-sign/,
  drawing: /0 0 1440 460/,
  benefits: /Join Our Community/,
  product: /What is the product\?/,
  pioneerCount: /are already on the waitlist/,
  features: /But what will it do\?|group-tagline\{/,
  waysToHelp: /Ways you can help/,
  blog: /From the blog|How far along are we|\/blog\/pictures|post-words/,
  letters: /letters-list|All letters|atom\+xml/,
  series: /up to five (?:more|emails)/,
  survey: /survey-frame|survey opens soon/,
  roadmap: /status-icon\{|Development commences/,
  visits: /We count visits/,
  referrals: /Invite your friends|Invite friends with your link|who invite friends/,
  share: /share-button|clipboard\.writeText/,
  api: null,
  webhooks: null,
  embed: /This form is not set up|embed-sites/,
  fair: /fair-tablets|fair-code|fair-promise/,
};

export const switchNames = Object.keys(traces) as Switch[];

/** Those of which browsers download something. */
export const browserSwitches = switchNames.filter((name) => traces[name] !== null);

/** The parts and features that a built clone's browsers download nothing of. */
export function missingInBuild(folder: string): Switch[] {
  const files = globSync("build/client/assets/*.{js,css}", { cwd: folder }).map((file) => {
    return { name: basename(file), text: readFileSync(join(folder, file), "utf8") };
  });
  // The build keeps the code of what is off if something would load it on demand, and no file names it.
  const isNamed = (name: string) => files.some((file) => file.name !== name && file.text.includes(name));
  const downloaded = files.filter(({ name }) => !name.endsWith(".js") || name.startsWith("manifest-") || isNamed(name));
  const text = downloaded.map((file) => file.text).join("\n");
  const hasPictures = existsSync(join(folder, "build/client/posts"));
  return browserSwitches.filter((name) => !traces[name]?.test(text) && !(name === "blog" && hasPictures));
}
