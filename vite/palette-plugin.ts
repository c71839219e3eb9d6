import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { PostcssPlugin } from "#vite/switched-off.ts";

type Theme = typeof import("#app/ui/theme.ts");

const theme = new URL(import.meta.resolve("#app/ui/theme.ts"));

/**
 * Replaces `@palette group;` in stylesheets with the custom properties of that group of app/ui/theme.ts. Inside of a rule,
 * these are the colours of the light scheme, in both schemes.
 *
 * The development server reads the theme again after an edit. If the theme were imported here, an edit would restart the
 * server, which takes many seconds.
 */
export const paletteCss: PostcssPlugin = {
  postcssPlugin: "palette",
  AtRule: {
    async palette(rule, { parse, result }) {
      const file = fileURLToPath(theme);
      result.messages.push({ type: "dependency", plugin: "palette", file, parent: rule.source?.input.file });
      const { palette }: Theme = await import(`${theme.href}?${statSync(file).mtimeMs}`);
      const { light, dark } = customProperties(palette, rule.params);
      // Printed pages are light in both schemes.
      const text = `:root{${light}}@media screen and (prefers-color-scheme:dark){:root{${dark}}}`;
      rule.replaceWith(parse(rule.parent?.type === "rule" ? light : text, { from: rule.source?.input.file }));
    },
  },
};

/** @throws if app/ui/theme.ts has no such group */
function customProperties(palette: Theme["palette"], group: string): Record<"light" | "dark", string> {
  if (!(group in palette)) throw new Error(`app/ui/theme.ts has no group of colours named ${group}`);
  const roles = Object.entries(palette[group as keyof typeof palette]);
  const light = roles.map(([role, shades]) => property(role, typeof shades === "string" ? shades : shades[0]));
  const dark = roles.flatMap(([role, shades]) => (typeof shades === "string" ? [] : [property(role, shades[1])]));
  return { light: light.join(""), dark: dark.join("") };
}

/** `buttonHover` becomes `--button-hover`, `layer1` becomes `--layer-1`. */
function property(role: string, colour: string): string {
  return `--${role.replace(/[A-Z]|\d+/g, (part) => `-${part.toLowerCase()}`)}:${colour};`;
}
