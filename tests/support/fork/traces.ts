import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Switch } from "#tests/support/switched-off.ts";

/** What only browsers' code, styles or texts of a part or feature have. Null: nothing of it is for browsers. */
const traces: Record<Switch, RegExp | null> = {
  largeLogo: /large-logo-sign/,
  drawing: /0 0 1440 460/,
  benefits: /Join Our Community/,
  product: /What is the product\?|slip-paper|proof-count/,
  pioneerCount: /are already on the waitlist/,
  features: /But what will it do\?|group-tagline\{/,
  waysToHelp: /Ways you can help/,
  blog: /From the blog|How far along are we|\/blog\/pictures|post-words/,
  letters: /letters-list|All letters|atom\+xml/,
  series: /up to five (?:more|emails)/,
  survey: /survey-frame|survey opens soon/,
  roadmap: /status-icon\{|Development commences/,
  visits: /We count visits/,
  referrals: /A friend has invited you|Friends you’ve invited|Invite friends with your link|who invite friends/,
  share: /share-button|Link copied to clipboard/,
  api: null,
  webhooks: null,
  embed: /This form isn’t set up|embed-sites/,
  fair: /fair-tablets|fair-code|fair-promise/,
};

export const switchNames = Object.keys(traces) as Switch[];

/** Those of which browsers download something. */
export const browserSwitches = switchNames.filter((name) => traces[name] !== null);

/** What only the Worker's code of a feature has. */
const workerTraces: Partial<Record<Switch, string>> = {
  blog: "api/content/posts",
  letters: "The draft is saved",
  series: "The follow-up is saved",
  survey: "survey opens soon",
  roadmap: "Development commences",
  visits: "visits-not-counted",
  referrals: "The friend counts now",
  api: "swk_",
  webhooks: "The endpoint is deleted",
  embed: "The site is allowed. Forms",
  fair: "The tablet is revoked",
};

export const workerSwitches = switchNames.filter((name) => name in workerTraces);

/** The features that a built clone's Worker has nothing of. */
export function missingInWorker(folder: string): Switch[] {
  const text = buildFiles(folder, "build/server/**/*.js")
    .map((file) => file.text)
    .join();
  return workerSwitches.filter((name) => !text.includes(workerTraces[name] ?? ""));
}

/** Files of a built clone's Worker that no other one names. */
export function unreferenced(folder: string): string[] {
  const files = buildFiles(folder, "build/server/**/*.js");
  const isNamed = (name: string) => files.some((file) => file.name !== name && file.text.includes(name));
  return files.map(({ name }) => name).filter((name) => name !== "index.js" && !isNamed(name));
}

/** The parts and features that a built clone's browsers download nothing of. */
export function missingInBuild(folder: string): Switch[] {
  const text = buildFiles(folder, "build/client/assets/*.{js,css}")
    .map((file) => file.text)
    .join("\n");
  const pictures: Partial<Record<Switch, string>> = { blog: "posts", product: "sides", referrals: "og-friend.png" };
  const hasPictures = (name: Switch) => existsSync(join(folder, "build/client", pictures[name] ?? "none"));
  return browserSwitches.filter((name) => !traces[name]?.test(text) && !hasPictures(name));
}

function buildFiles(folder: string, pattern: string): { name: string; text: string }[] {
  return globSync(pattern, { cwd: folder }).map((file) => {
    return { name: basename(file), text: readFileSync(join(folder, file), "utf8") };
  });
}
