import { StepError } from "#scripts/lib/step-error.ts";
import { failed, wrangler } from "#scripts/lib/wrangler.ts";

/** One account at Cloudflare, by its API. */
export interface Cloudflare {
  /** @param path within the account, such as `/d1/database` */
  get<Result>(what: string, path: string): Promise<Result>;
  post<Result>(what: string, path: string, body: object): Promise<Result>;
}

/** Cloudflare said no, with a code that tells why. */
export class CloudflareError extends StepError {
  override name = "CloudflareError";
  readonly code: number;

  constructor(what: string, said: string, code: number) {
    super(...failed(what, said).parts);
    this.code = code;
  }
}

const API = "https://api.cloudflare.com/client/v4";

/** For one request (milliseconds). */
const LIMIT = 30_000;

/**
 * Signs in as Wrangler does: with what `wrangler login` keeps, or a token.
 *
 * @param env `CLOUDFLARE_API_TOKEN` and `CLOUDFLARE_ACCOUNT_ID`, where they are set
 * @throws {StepError} when nobody is signed in, or it is not clear which account is meant
 */
export async function signIn(env: NodeJS.ProcessEnv): Promise<Cloudflare> {
  const headers = await credentials(env);
  const account = `/accounts/${env["CLOUDFLARE_ACCOUNT_ID"] ?? (await onlyAccount(headers))}`;
  return {
    get: (what, path) => call(what, `${account}${path}`, { headers }),
    post: (what, path, body) =>
      call(what, `${account}${path}`, { method: "POST", headers, body: JSON.stringify(body) }),
  };
}

interface Answer<Result> {
  success: boolean;
  errors: { code: number; message: string }[];
  result: Result;
}

async function call<Result>(what: string, path: string, init: RequestInit): Promise<Result> {
  const headers = { ...init.headers, "Content-Type": "application/json" };
  const url = `${process.env["CLOUDFLARE_API_BASE_URL"] ?? API}${path}`;
  const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(LIMIT) }).catch((error: Error) => {
    throw failed(what, error.name === "TimeoutError" ? `Cloudflare did not answer within ${LIMIT} ms` : "fetch failed");
  });
  const answer = (await response.json().catch(() => null)) as Answer<Result> | null;
  if (answer?.success === true) return answer.result;
  const [{ code, message } = { code: 0, message: `status ${response.status}` }] = answer?.errors ?? [];
  throw new CloudflareError(what, `${message} [code: ${code}]`, code);
}

async function credentials(env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  const said = await wrangler(["auth", "token", "--json", "--config", "wrangler.toml"], { what: "Signing in", env });
  const { token, key = "", email = "" }: { token?: string; key?: string; email?: string } = JSON.parse(said);
  return token === undefined ? { "X-Auth-Key": key, "X-Auth-Email": email } : { Authorization: `Bearer ${token}` };
}

async function onlyAccount(headers: Record<string, string>): Promise<string> {
  const what = "Looking up your Cloudflare account";
  const accounts = await call<{ id: string; name: string }[]>(what, "/accounts?per_page=50", { headers });
  const [account, ...others] = accounts;
  if (account !== undefined && others.length === 0) return account.id;
  throw new StepError(
    `This sign-in has ${accounts.length} Cloudflare accounts:\n\n${accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n")}`,
    "Say which one is meant: CLOUDFLARE_ACCOUNT_ID in deploy.env.",
  );
}
