import { StepError } from "#scripts/lib/step-error.ts";
import { stepFailed, wrangler } from "#scripts/lib/wrangler.ts";

/** The API of one Cloudflare account. Paths are within the account, such as `/d1/database`. */
export interface Cloudflare {
  /**
   * @param step for the error message, such as `Looking for the D1 database`
   * @returns null if the path names a Worker or a database that does not exist
   */
  get<Result>(step: string, path: string): Promise<Result | null>;
  post<Result>(step: string, path: string, body: object): Promise<Result>;
  /** @returns the id of the account's zone that holds a domain, or null */
  zoneOf(domain: string): Promise<string | null>;
}

const API = "https://api.cloudflare.com/client/v4";

/** For one request (milliseconds). */
const TIMEOUT = 30_000;

/** Cloudflare's error codes for a D1 database and a Worker that do not exist. */
const MISSING = [7404, 10007];

/**
 * Signs in like Wrangler: with the credentials of `wrangler login`, or a token.
 *
 * @param env `CLOUDFLARE_API_TOKEN` and `CLOUDFLARE_ACCOUNT_ID`, if set
 * @throws {StepError} when not signed in, or when the account is ambiguous
 */
export async function signIn(env: NodeJS.ProcessEnv): Promise<Cloudflare> {
  const output = await wrangler(["auth", "token", "--json", "--config", "wrangler.toml"], { step: "Signing in", env });
  const headers = { Authorization: `Bearer ${JSON.parse(output).token}`, "Content-Type": "application/json" };
  const accountId = env["CLOUDFLARE_ACCOUNT_ID"] ?? (await onlyAccount(headers));
  const account = `/accounts/${accountId}`;
  return {
    get: (step, path) => call(step, `${account}${path}`, { headers }, MISSING),
    post: (step, path, body) =>
      call(step, `${account}${path}`, { method: "POST", headers, body: JSON.stringify(body) }),
    async zoneOf(domain) {
      const labels = domain.split(".");
      for (let first = 0; first < labels.length - 1; first += 1) {
        const path = `/zones?name=${labels.slice(first).join(".")}&account.id=${accountId}`;
        const [zone] = await call<{ id: string }[]>(`Looking for the zone of ${domain}`, path, { headers });
        if (zone !== undefined) return zone.id;
      }
      return null;
    },
  };
}

interface ApiResponse {
  success: boolean;
  errors: { code: number; message: string }[];
  result?: unknown;
}

/** @returns null for an error with one of the codes in `absent` */
async function call<Result>(step: string, path: string, init: RequestInit, absent: number[] = []): Promise<Result> {
  const url = `${process.env["CLOUDFLARE_API_BASE_URL"] ?? API}${path}`;
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT) }).catch((error: Error) => {
    const timeout = `Cloudflare did not respond within ${TIMEOUT / 1_000} seconds`;
    throw stepFailed(step, error.name === "TimeoutError" ? timeout : "fetch failed");
  });
  const unreadable = { success: false, errors: [{ code: 0, message: `status ${response.status}` }] };
  const { success, errors, result }: ApiResponse = await response.json().catch(() => unreadable);
  if (success) return result as Result;
  if (errors.some(({ code }) => absent.includes(code))) return null as Result;
  throw stepFailed(step, errors.map(({ code, message }) => `${message} [code: ${code}]`).join("\n"));
}

async function onlyAccount(headers: Record<string, string>): Promise<string> {
  const path = "/accounts?per_page=50";
  const accounts = await call<{ id: string; name: string }[]>("Looking up your Cloudflare account", path, { headers });
  const [account, ...others] = accounts;
  if (account !== undefined && others.length === 0) return account.id;
  throw new StepError(
    `You can sign in to ${accounts.length} Cloudflare accounts:\n\n${accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n")}`,
    "Set CLOUDFLARE_ACCOUNT_ID in deploy.env to the one you want to use.",
  );
}
