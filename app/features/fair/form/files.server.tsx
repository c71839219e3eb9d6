import type { Context } from "hono";
import { renderToStaticMarkup } from "react-dom/server";
import form from "#app/features/fair/browser/form.ts?inline-script";
import serviceWorker from "#app/features/fair/browser/service-worker.ts?inline-script";
import { assets, FairDocument } from "#app/features/fair/form/document.server.tsx";
import { FAIR_PATH, type Precache, SERVICE_WORKER_PATH, VERSION_HEADER } from "#app/features/fair/protocol.ts";
import type { Config } from "#app/server/config/config.server.ts";
import { getConfig } from "#app/server/config/env-config.server.ts";
import { type SiteSettings, siteSettings } from "#app/server/config/settings.server.ts";
import { sha256 } from "#app/server/hashes/random-token.server.ts";
import type { AppBindings } from "#app/server/http/bindings.ts";
import { perEnv } from "#app/server/per-env.ts";
import { site } from "#app/site.ts";
import { colour } from "#app/ui/theme.ts";
import { type ConsentWording, wordingFor } from "#app/waitlist/sign-up/consent-wording.ts";
import { readHasFollowUps } from "#app/waitlist/sign-up/shown-wording.server.ts";

/** The form's page, or one of its files. The service worker keeps copies; for all others they are always the present ones. */
export async function respondWithFile(c: Context<AppBindings>): Promise<Response> {
  const wording = wordingFor(await readHasFollowUps(c.var.app));
  const made = filesOf(c.env)(siteSettings());
  const making = made.get(wording.version) ?? createFairFiles(getConfig(c.env), wording);
  made.set(wording.version, making);
  const { version, files } = await making;
  const { path } = c.req;
  const file = files[path];
  if (file === undefined) return c.notFound();
  const headers = { "Content-Type": file.type, "Cache-Control": "no-cache", [VERSION_HEADER]: version };
  if (path === FAIR_PATH) c.header("Content-Security-Policy", documentPolicy);
  if (path === SERVICE_WORKER_PATH) {
    c.header("Content-Security-Policy", serviceWorkerPolicy);
    c.header("Service-Worker-Allowed", FAIR_PATH);
  }
  return c.body(file.text, 200, headers);
}

/** The form's Content-Security-Policy: this origin alone, and no inline script. The Trusted Types policy is that of registration.ts. */
const documentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types fair",
].join("; ");

/** The service worker fetches its files and sends sign-ups. */
const serviceWorkerPolicy =
  "default-src 'none'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";

/** By settings and the version of the wording: the form shows the present ones, and tablets load it when they change. */
const filesOf = perEnv((_env: Env) =>
  perEnv((_settings: SiteSettings) => new Map<string, ReturnType<typeof createFairFiles>>()),
);

/** `version`: a hash of the files, and of the names of all others that the page loads. `files`: by path. */
async function createFairFiles(config: Config, wording: ConsentWording) {
  const html = (version: string) =>
    `<!doctype html>${renderToStaticMarkup(<FairDocument config={config} wording={wording} version={version} />)}`;
  const script = "text/javascript; charset=utf-8";
  const rest: Record<string, { type: string; text: string }> = {
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
  // The service worker names its version itself.
  const text = `const PRECACHE=${JSON.stringify(precache)};\n${serviceWorker}`;
  const files: typeof rest = { ...cached, [SERVICE_WORKER_PATH]: { type: script, text } };
  return { version, files };
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
