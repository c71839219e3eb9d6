import { readFileSync } from "node:fs";
import { join } from "node:path";
import { site } from "#app/site.ts";
import { palette } from "#app/ui/theme.ts";

/** The name and the colours of this site in a text, as `where: what`. @param folder of the fork */
export function leftovers(folder: string, where: string, text: string): string[] {
  const colours = oldColours(folder).flatMap((colour) => [colour, shortForm(colour)]);
  const found = text.match(new RegExp(`${RegExp.escape(site.name)}|(?:${colours.join("|")})(?![0-9a-f])`, "gi"));
  return [...new Set(found)].map((what) => `${where}: ${what}`);
}

/** This site's colours without those that a fork keeps: greys, and those of wood, skin and hair. */
function oldColours(folder: string): string[] {
  const kept = readFileSync(join(folder, "app", "ui", "theme.ts"), "utf8");
  const all = Object.values(palette).flatMap((group) => Object.values(group).flat()) as string[];
  const isGrey = (colour: string) =>
    colour.slice(1, 3) === colour.slice(3, 5) && colour.slice(3, 5) === colour.slice(5, 7);
  return [...new Set(all)].filter((colour) => !isGrey(colour) && !kept.includes(colour));
}

/** As minifiers write it: `#aabbcc` becomes `#abc`. */
function shortForm(colour: string): string {
  return colour.replace(/^#(?:([0-9a-f])\1)+$/i, (hex) => `#${hex.slice(1).replace(/(.)\1/g, "$1")}`);
}
