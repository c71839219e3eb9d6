import { logError } from "#app/server/log.ts";
import { withTimeout } from "#app/server/time/timeout.ts";
import { type EpochMillis, MINUTE, type Millis } from "#app/server/time/units.ts";

export type DisposableDomains = ReturnType<typeof createDisposableDomains>;

interface DisposableDomainsOptions {
  /** Serves the list, a static file: in the bundle it would delay every start of the Worker. */
  assets: { fetch(url: string): Promise<Response> } | undefined;
  /** Domains that are never treated as throwaway, with their subdomains. */
  allowed?: readonly string[] | undefined;
  now: () => EpochMillis;
}

/** The list's path; `npm run generate:disposable-domains` writes the file. */
const LIST_PATH = "/disposable-domains.txt";

/** Reading the list may delay a sign-up this long. */
const TIMEOUT: Millis = 1_000;

/** After a failure the list is not read again for this long. */
const RETRY_INTERVAL = MINUTE;

/** Domains of services for throwaway addresses. Reads their list once per isolate, at the first address. */
export function createDisposableDomains({ assets, allowed = [], now }: DisposableDomainsOptions) {
  const exceptions = new Set([...relayDomains, ...allowed]);
  /** One domain a line. Searched as text, because parsing thousands of lines takes longer than the few searches. */
  let list: string | null = null;
  let retryAt = 0;

  /** Not shared by concurrent requests: workerd ends a promise with the request that created it. */
  async function readList(): Promise<string | null> {
    try {
      const response = await assets?.fetch(`https://assets.local${LIST_PATH}`);
      if (!response?.ok) throw new Error(`the list's status is ${response?.status ?? "unknown"}`);
      return await response.text();
    } catch (error) {
      throw new Error("the list of throwaway domains cannot be read", { cause: error });
    }
  }

  return {
    /**
     * Whether an address belongs to a listed domain or a subdomain of one; false while the list cannot be read. Never
     * throws. @param email as `normaliseEmail` returns it
     */
    async has(email: string): Promise<boolean> {
      const domains = withParents(email.slice(email.lastIndexOf("@") + 1));
      if (domains.some((domain) => exceptions.has(domain))) return false;
      if (list === null && now() >= retryAt) {
        try {
          list = await withTimeout(readList(), TIMEOUT, "assets");
        } catch (error) {
          retryAt = now() + RETRY_INTERVAL;
          logError("disposable-list-failed", error);
        }
      }
      return list !== null && domains.some((domain) => list?.includes(`\n${domain}\n`));
    },
  };
}

function withParents(domain: string): string[] {
  const labels = domain.split(".");
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
}

/**
 * Services that forward email to a real mailbox, which people use for privacy. Their addresses last, so they are never
 * treated as throwaway.
 */
const relayDomains: readonly string[] = [
  // DuckDuckGo Email Protection
  "duck.com",
  // Firefox Relay
  "mozmail.com",
  "relay.firefox.com",
  // Hide My Email by Apple
  "privaterelay.appleid.com",
  "icloud.com",
  // SimpleLogin and Proton Pass
  "simplelogin.com",
  "simplelogin.co",
  "simplelogin.fr",
  "simplelogin.io",
  "aleeas.com",
  "slmail.me",
  "slmails.com",
  "silomails.com",
  "8alias.com",
  "8shield.net",
  "dralias.com",
  "passmail.net",
  "passmail.com",
  "passinbox.com",
  "passfwd.com",
  // addy.io
  "addy.io",
  "addymail.com",
  "anonaddy.com",
  "anonaddy.me",
  // Masked Email by Fastmail
  "fastmail.com",
  "fastmail.fm",
];
