import { readOwnerAddresses } from "#app/server/config-values.server.ts";
import { type Cloudflare, CloudflareError } from "#scripts/lib/cloudflare.ts";
import { StepError } from "#scripts/lib/step-error.ts";

/** The site that uses the waitlist. */
export interface OwnerSite {
  /** Its origin. */
  url: string;
  /** The addresses in OWNER_EMAIL; without one, the owner's pages do not exist. */
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
 * @throws {StepError} if none does
 */
export async function localSite(port: number, owners: string[]): Promise<OwnerSite> {
  const url = `http://localhost:${port}`;
  const response = await fetch(`${url}/owner`, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT) }).catch(
    () => {
      throw new StepError(
        `No site responds at ${url}.`,
        "Start it with npm start or npm run dev. If it uses a port other than 8787, give it with --port. For the deployed site: --remote",
      );
    },
  );
  const isClosed = response.status === 404;
  return { url, owners: isClosed ? [] : owners, mayHaveOthers: !isClosed };
}

/** The deployed site, as its Worker is configured now. @throws {StepError} when it is not deployed */
export async function deployedSite(cloudflare: Cloudflare, worker: string): Promise<OwnerSite> {
  const vars = await readVars(cloudflare, worker);
  const url = vars.get("SITE_URL");
  if (url === undefined) throw new StepError(`The Worker ${worker} has no SITE_URL.`, "Deploy it with npm run deploy.");
  return { url: new URL(url).origin, owners: readOwnerAddresses(vars.get("OWNER_EMAIL")), mayHaveOthers: false };
}

interface Settings {
  bindings: { name: string; type: string; text?: string }[];
}

/** Cloudflare's error code for a Worker that does not exist. */
const NO_WORKER = 10007;

/** https://developers.cloudflare.com/api/resources/workers/subresources/scripts/subresources/settings/methods/get/ */
async function readVars(cloudflare: Cloudflare, worker: string): Promise<Map<string, string>> {
  const path = `/workers/scripts/${worker}/settings`;
  const { bindings } = await cloudflare.get<Settings>("Reading the Worker's variables", path).catch((error) => {
    if (!(error instanceof CloudflareError) || error.code !== NO_WORKER) throw error;
    throw new StepError(`This account has no Worker ${worker}.`, "Deploy it with npm run deploy.");
  });
  return new Map(bindings.flatMap(({ name, type, text }) => (type === "plain_text" && text ? [[name, text]] : [])));
}
