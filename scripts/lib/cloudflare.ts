import { StepError } from "#scripts/lib/step-error.ts";
import { stepFailed, wrangler } from "#scripts/lib/wrangler.ts";

/** The API of one Cloudflare account. */
export interface Cloudflare {
  /**
   * @param step for the error message, such as `Creating the D1 database`
   * @param path within the account, such as `/d1/database`
   */
  get<Result>(step: string, path: string): Promise<Result>;
  post<Result>(step: string, path: string, body: object): Promise<Result>;
}

/** An error response, with Cloudflare's error code. */
export class CloudflareError extends StepError {
  override name = "CloudflareError";
  readonly code: number;

  constructor(step: string, message: string, code: number) {
    super(...stepFailed(step, message).parts);
    this.code = code;
  }
}

const API = "https://api.cloudflare.com/client/v4";

/** For one request (milliseconds). */
const TIMEOUT = 30_000;

/**
 * Signs in like Wrangler: with the credentials of `wrangler login`, or a token.
 *
 * @param env `CLOUDFLARE_API_TOKEN` and `CLOUDFLARE_ACCOUNT_ID`, if set
 * @throws {StepError} when not signed in, or when the account is ambiguous
 */
export async function signIn(env: NodeJS.ProcessEnv): Promise<Cloudflare> {
  const headers = await credentials(env);
  const account = `/accounts/${env["CLOUDFLARE_ACCOUNT_ID"] ?? (await onlyAccount(headers))}`;
  return {
    get: (step, path) => call(step, `${account}${path}`, { headers }),
    post: (step, path, body) =>
      call(step, `${account}${path}`, { method: "POST", headers, body: JSON.stringify(body) }),
  };
}

interface ApiResponse<Result> {
  success: boolean;
  errors: { code: number; message: string }[];
  result: Result;
}

async function call<Result>(step: string, path: string, init: RequestInit): Promise<Result> {
  const headers = { ...init.headers, "Content-Type": "application/json" };
  const url = `${process.env["CLOUDFLARE_API_BASE_URL"] ?? API}${path}`;
  const signal = AbortSignal.timeout(TIMEOUT);
  const response = await fetch(url, { ...init, headers, signal }).catch((error: Error) => {
    const timeout = `Cloudflare did not respond within ${TIMEOUT / 1_000} seconds`;
    throw stepFailed(step, error.name === "TimeoutError" ? timeout : "fetch failed");
  });
  const body = (await response.json().catch(() => null)) as ApiResponse<Result> | null;
  if (body?.success === true) return body.result;
  const [{ code, message } = { code: 0, message: `status ${response.status}` }] = body?.errors ?? [];
  throw new CloudflareError(step, `${message} [code: ${code}]`, code);
}

async function credentials(env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  const output = await wrangler(["auth", "token", "--json", "--config", "wrangler.toml"], { step: "Signing in", env });
  const { token, key = "", email = "" }: { token?: string; key?: string; email?: string } = JSON.parse(output);
  return token === undefined ? { "X-Auth-Key": key, "X-Auth-Email": email } : { Authorization: `Bearer ${token}` };
}

async function onlyAccount(headers: Record<string, string>): Promise<string> {
  const step = "Looking up your Cloudflare account";
  const accounts = await call<{ id: string; name: string }[]>(step, "/accounts?per_page=50", { headers });
  const [account, ...others] = accounts;
  if (account !== undefined && others.length === 0) return account.id;
  throw new StepError(
    `You can sign in to ${accounts.length} Cloudflare accounts:\n\n${accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n")}`,
    "Set CLOUDFLARE_ACCOUNT_ID in deploy.env to the one you want to use.",
  );
}
