import { site } from "#app/site.ts";
import { colour } from "#app/ui/theme.ts";

/** The content of public/site.webmanifest. */
export function webManifest() {
  const maskable = { type: "image/png", purpose: "maskable" };
  return {
    name: site.name,
    short_name: site.name,
    description: site.tagline,
    lang: "en-GB",
    start_url: "/",
    display: "browser",
    background_color: colour("paper"),
    theme_color: colour("bar"),
    icons: [
      { src: "/favicon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" },
      { src: "/icon-192.png", sizes: "192x192", ...maskable },
      { src: "/icon-512.png", sizes: "512x512", ...maskable },
    ],
  };
}
