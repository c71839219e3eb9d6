import { renderToStaticMarkup } from "react-dom/server";
import form from "#app/features/fair/browser/form.ts?inline-script";
import { type Precache, SERVICE_WORKER_PATH } from "#app/features/fair/browser/precache.ts";
import serviceWorker from "#app/features/fair/browser/service-worker.ts?inline-script";
import { assets, FairDocument } from "#app/features/fair/form/document.server.tsx";
import { fairManifest, icons } from "#app/features/fair/form/manifest.ts";
import { FAIR_PATH } from "#app/features/fair/protocol.ts";
import type { Config } from "#app/server/config/config.server.ts";
import { sha256 } from "#app/server/hashes/random-token.server.ts";
import type { Wording } from "#app/waitlist/sign-up/consent-wording.ts";

export interface FairFile {
  type: string;
  text: string;
}

export interface FairFiles {
  /** A hash of the files, and of the names of all others that the page loads. */
  version: string;
  /** By path. The service worker names its version itself. */
  files: Readonly<Record<string, FairFile>>;
}

export async function createFairFiles(config: Config, wording: Wording): Promise<FairFiles> {
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
