import { type Cloudflare, CloudflareError } from "#scripts/lib/cloudflare.ts";
import { StepError } from "#scripts/lib/step-error.ts";

/** The site that uses the waitlist. */
export interface OwnerSite {
  /** Its origin. */
  url: string;
  /** Whether OWNER_EMAIL is set; without it, the owner's pages do not exist. */
  hasOwner: boolean;
}

/** For the response of a local site (milliseconds). */
const TIMEOUT = 10_000;

/** The site that runs on this machine. @throws {StepError} if none does */
export async function localSite(port: number): Promise<OwnerSite> {
  const url = `http://localhost:${port}`;
  const response = await fetch(`${url}/owner`, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT) }).catch(
    () => {
      throw new StepError(
        `No site responds at ${url}.`,
        "Start it with npm start or npm run dev, and name another port than 8787 with --port. For the deployed site: --remote",
      );
    },
  );
  return { url, hasOwner: response.status !== 404 };
}

/** The deployed site, as its Worker is configured now. @throws {StepError} when it is not deployed */
export async function deployedSite(cloudflare: Cloudflare, worker: string): Promise<OwnerSite> {
  const vars = await readVars(cloudflare, worker);
  const url = vars.get("SITE_URL");
  if (url === undefined) throw new StepError(`The Worker ${worker} has no SITE_URL.`, "Deploy it with npm run deploy.");
  return { url: new URL(url).origin, hasOwner: Boolean(vars.get("OWNER_EMAIL")) };
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
