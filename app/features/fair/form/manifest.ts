import { FAIR_PATH } from "#app/features/fair/protocol.ts";
import { site } from "#app/site.ts";
import { colour } from "#app/ui/theme.ts";

/** The files that the page shows besides its own. The icons are of the site. */
export const icons = ["/favicon.ico", "/favicon.svg", "/apple-touch-icon.png", "/icon-192.png", "/icon-512.png"];

/** The web app manifest of the form, which lets a tablet open it without the browser's bars. */
export const fairManifest = {
  id: FAIR_PATH,
  name: `${site.name} at the fair`,
  short_name: site.name,
  description: `The ${site.name} sign-up form for the stall. It works offline.`,
  lang: "en-GB",
  start_url: FAIR_PATH,
  scope: FAIR_PATH,
  display: "fullscreen",
  orientation: "any",
  background_color: colour("paper"),
  theme_color: colour("bar"),
  icons: ["any", "maskable"].flatMap((purpose) =>
    [192, 512].map((size) => ({ src: `/icon-${size}.png`, sizes: `${size}x${size}`, type: "image/png", purpose })),
  ),
};
