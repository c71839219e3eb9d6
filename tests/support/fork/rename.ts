import { join } from "node:path";
import { edit } from "#tests/support/fork/edit.ts";

export const NEW_NAME = "Pitchbrook";

/** Edits app/site.ts and app/ui/theme.ts of a clone, as the owner of another product would. */
export function rename(folder: string): void {
  edit(join(folder, "app", "site.ts"), (text) =>
    text
      .replace(/const name = ".*"/, `const name = "${NEW_NAME}"`)
      .replace(/tagline: ".*"/, 'tagline: "Street food for every festival"')
      .replace(
        /const host = \{[^}]*\} as const;/,
        `const host = {
  one: "an organiser",
  many: "organisers",
  role: "Festival organiser",
  label: "festival organisers",
  title: "Organisers",
} as const;`,
      )
      .replace(
        /const stallholder = \{[^}]*\} as const;/,
        `const stallholder = {
  one: "a cook",
  many: "cooks",
  role: "Street cook",
  label: "street cooks",
  title: "Street Cooks",
} as const;`,
      )
      .replace(/pioneer: .*/, 'pioneer: { one: "a Founder", many: "Founders" },')
      .replace(/launch: ".*"/, 'launch: "in spring 2031"')
      .replace(/launchDate = ".*"/, 'launchDate = "2031-05-31"'),
  );
  edit(join(folder, "app", "ui", "theme.ts"), (text) => text.replace(/#[0-9a-f]{6}\b/g, anotherHue));
}

/** A colour of another hue and the same luminance, so that contrasts stay. Greys are the same in every hue. */
function anotherHue(colour: string): string {
  const channels = [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
  const [r = 0, g = 0, b = 0] = channels;
  const turned = [b, r, g];
  const wanted = luminance(channels);
  let [dark, light] = [-1, 1];
  for (let step = 0; step < 30; step++) {
    const middle = (dark + light) / 2;
    if (luminance(shifted(turned, middle)) < wanted) dark = middle;
    else light = middle;
  }
  return `#${shifted(turned, light)
    .map((channel) => Math.round(channel).toString(16).padStart(2, "0"))
    .join("")}`;
}

/** @param amount -1 is black, 1 is white */
function shifted(channels: number[], amount: number): number[] {
  return channels.map((channel) => (amount < 0 ? channel * (1 + amount) : channel + (255 - channel) * amount));
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(channels: number[]): number {
  const [r = 0, g = 0, b = 0] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
