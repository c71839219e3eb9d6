import { inject } from "vitest";
import type { AcceptedEmail, Failure } from "#scripts/lib/resend-account.ts";
import type { AccountOptions } from "#scripts/lib/resend-rules.ts";

interface AccountState {
  accepted: AcceptedEmail[];
  suppressed: AcceptedEmail[];
  requests: number;
  /** Requests whose clients still wait for a response that never comes. */
  open: number;
}

/** Opens an account at the fake Resend, a real HTTP server. */
export async function openResendAccount(options: AccountOptions = {}) {
  const server = inject("resendUrl");
  const post = async <T>(path: string, body: unknown): Promise<T> =>
    (await fetch(server + path, { method: "POST", body: JSON.stringify(body) })).json();
  const { path } = await post<{ path: string }>("/accounts", options);
  return {
    url: server + path,
    /** Makes the next requests fail. */
    fail: (...failures: Failure[]) => post(`${path}/failures`, failures),
    /** Changes the account from now on. */
    configure: (changes: AccountOptions) => post(`${path}/configure`, changes),
    advance: (milliseconds: number) => post(`${path}/advance`, milliseconds),
    state: async (): Promise<AccountState> => (await fetch(server + path)).json(),
  };
}
