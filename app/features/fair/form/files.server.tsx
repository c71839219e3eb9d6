import { renderToStaticMarkup } from "react-dom/server";
import form from "#app/features/fair/browser/form.ts?inline-script";
import { type Precache, SERVICE_WORKER_PATH } from "#app/features/fair/browser/precache.ts";
import serviceWorker from "#app/features/fair/browser/service-worker.ts?inline-script";
import { assets, FairDocument } from "#app/features/fair/form/document.server.tsx";
import { FAIR_PATH } from "#app/features/fair/protocol.ts";
import type { Config } from "#app/server/config/config.server.ts";
import { sha256 } from "#app/server/hashes/random-token.server.ts";
import { site } from "#app/site.ts";
import { colour } from "#app/ui/theme.ts";
import type { ConsentWording } from "#app/waitlist/sign-up/consent-wording.ts";

interface FairFile {
  type: string;
  text: string;
}

export interface FairFiles {
  /** A hash of the files, and of the names of all others that the page loads. */
  version: string;
  /** By path. The service worker names its version itself. */
  files: Readonly<Record<string, FairFile>>;
}

export async function createFairFiles(config: Config, wording: ConsentWording): Promise<FairFiles> {
  const html = (version: string) =>
    `<!doctype html>${renderToStaticMarkup(<FairDocument config={config} wording={wording} version={version} />)}`;
  const script = "text/javascript; charset=utf-8";
  const rest: Record<string, FairFile> = {
    [`${FAIR_PATH}/form.js`]: { type: script, text: form },
    [`${FAIR_PATH}/manifest.webmanifest`]: {
      type: "application/manifest+json; charset=utf-8",
      text: JSON.stringify(fairManifest),
    },
  };
  const others = [...assets, ...icons];
  const version = (await sha256(JSON.stringify([html(""), rest, others, serviceWorker]))).slice(0, 20);
  const cached = { [FAIR_PATH]: { type: "text/html; charset=utf-8", text: html(version) }, ...rest };
  const precache: Precache = { version, files: [...Object.keys(cached), ...others] };
  const text = `const PRECACHE=${JSON.stringify(precache)};\n${serviceWorker}`;
  return { version, files: { ...cached, [SERVICE_WORKER_PATH]: { type: script, text } } };
}

/** The files that the page shows besides its own. The icons are of the site. */
const icons = ["/favicon.ico", "/favicon.svg", "/apple-touch-icon.png", "/icon-192.png", "/icon-512.png"];

/** The web app manifest of the form, which lets a tablet open it without the browser's bars. */
const fairManifest = {
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
