import { createWorkersKVSessionStorage } from "@react-router/cloudflare";
import { hasSecureCookies } from "#app/owner/secure-cookies.ts";
import { withTimeout } from "#app/server/timeout.ts";

export interface SessionDeps {
  /** Holds the sessions. Losing one is harmless: the owner requests a new link. */
  cache: KVNamespace;
  /** The current secret, then the previous one. */
  linkSecrets: string[];
  ownerEmail: string;
  config: { SITE_URL: string };
  /** Milliseconds since 1970. */
  now: () => number;
}

const SESSION_COOKIE = "owner";

/** How long the owner stays signed in (milliseconds). */
const SESSION_LIFETIME = 12 * 3_600_000;

/** KV operations that take longer than this fail (milliseconds). */
const KV_TIMEOUT = 3_000;

/** Starts a session. @returns its `Set-Cookie` header */
export async function startSession(deps: SessionDeps): Promise<string> {
  const storage = await openStorage(deps);
  const session = await storage.getSession();
  session.set("until", deps.now() + SESSION_LIFETIME);
  return storage.commitSession(session);
}

/** Whether the cookies hold a valid, unexpired session of the current owner. */
export async function isSignedIn(deps: SessionDeps, cookies: string | undefined): Promise<boolean> {
  if (cookies === undefined || !cookies.includes(`${SESSION_COOKIE}=`)) return false;
  const storage = await openStorage(deps);
  const session = await storage.getSession(cookies);
  return Number(session.get("until") ?? 0) > deps.now();
}

/** Ends a session, including for copies of its cookie. @returns the `Set-Cookie` header that deletes the cookie */
export async function endSession(deps: SessionDeps, cookies: string | undefined): Promise<string> {
  const storage = await openStorage(deps);
  return storage.destroySession(await storage.getSession(cookies));
}

async function openStorage({ cache, linkSecrets, ownerEmail, config }: SessionDeps) {
  const secure = hasSecureCookies(config.SITE_URL);
  return createWorkersKVSessionStorage<{ until: number }>({
    cookie: {
      name: secure ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE,
      httpOnly: true,
      secure,
      sameSite: "lax",
      path: "/",
      maxAge: SESSION_LIFETIME / 1_000,
      secrets: await Promise.all(linkSecrets.map((secret) => cookieSecret(secret, ownerEmail))),
    },
    kv: sessionKv(cache),
  });
}

/**
 * Derives the cookie key from the secret that signs links in emails, so neither signature is valid for the other. The
 * owner's address is part of it, so a previous owner's cookies do not verify.
 */
async function cookieSecret(linkSecret: string, ownerEmail: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(linkSecret), algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, encoder.encode(`owner-session:v1:${ownerEmail}`));
  return new Uint8Array(signature).toBase64();
}

/** The KV namespace with a key prefix for sessions. */
function sessionKv(cache: KVNamespace): KVNamespace {
  const key = (id: string) => `owner-session:${id}`;
  const kv = {
    // The storage reads a new id as JSON to check that it is free. Skipped: KV would cache the miss for a minute.
    get: async (id: string, type?: "json") => (type === "json" ? null : withKvTimeout(cache.get(key(id)))),
    put: (id: string, value: string, options: KVNamespacePutOptions) =>
      withKvTimeout(cache.put(key(id), value, options)),
    delete: (id: string) => withKvTimeout(cache.delete(key(id))),
  };
  return kv as unknown as KVNamespace;
}

function withKvTimeout<T>(work: Promise<T>): Promise<T> {
  return withTimeout(work, KV_TIMEOUT, "KV");
}
