import { readOwnerAddresses } from "#app/server/config-values.server.ts";
import type { Cloudflare } from "#scripts/lib/cloudflare.ts";
import { StepError } from "#scripts/lib/step-error.ts";

/** The site that uses the waitlist. */
export interface OwnerSite {
  /** Its origin. */
  url: string;
  /** The addresses in OWNER_EMAIL. */
  owners: string[];
  /** Whether it may have other owners: `npm start -- --var OWNER_EMAIL:…` overrides what is known of a local site. */
  mayHaveOthers: boolean;
}

/** For the response of a local site (milliseconds). */
const TIMEOUT = 10_000;

/**
 * The site that runs on this machine.
 *
 * @param owners the addresses in OWNER_EMAIL, as .dev.vars or the local values set it
 * @throws {StepError} if none runs, or it has no owner
 */
export async function localSite(port: number, owners: string[]): Promise<OwnerSite> {
  const url = `http://localhost:${port}`;
  const init = { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT) } as const;
  const response = await fetch(`${url}/owner`, init).catch(() => {
    throw new StepError(
      `No site responds at ${url}.`,
      "Start it with npm start or npm run dev. If it uses a port other than 8787, give it with --port. For the deployed site: --remote",
    );
  });
  const remedy = "Set it in .dev.vars, or with npm start -- --var OWNER_EMAIL:you@example.com";
  if (response.status === 404) throw withoutOwner(url, remedy);
  return { url, owners, mayHaveOthers: true };
}

interface Worker {
  bindings: { name: string; text?: string }[];
}

/**
 * The deployed site, as its Worker is configured now.
 * https://developers.cloudflare.com/api/resources/workers/subresources/scripts/subresources/settings/methods/get/
 *
 * @throws {StepError} when it is not deployed, or has no owner
 */
export async function deployedSite(cloudflare: Cloudflare, worker: string): Promise<OwnerSite> {
  const path = `/workers/scripts/${worker}/settings`;
  const settings = await cloudflare.get<Worker>("Reading the Worker's variables", path);
  const textOf = (name: string) => settings?.bindings.find((binding) => binding.name === name)?.text;
  const siteUrl = textOf("SITE_URL");
  if (siteUrl === undefined) {
    throw new StepError(`This account has no Worker ${worker} with a SITE_URL.`, "Deploy it with npm run deploy.");
  }
  const owners = readOwnerAddresses(textOf("OWNER_EMAIL"));
  if (owners.length === 0) throw withoutOwner(siteUrl, "Set it in deploy.env and run npm run deploy.");
  return { url: new URL(siteUrl).origin, owners, mayHaveOthers: false };
}

function withoutOwner(url: string, remedy: string): StepError {
  return new StepError(`OWNER_EMAIL is not set, so ${url} has no owner's pages.`, remedy);
}
