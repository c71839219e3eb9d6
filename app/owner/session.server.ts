import { createWorkersKVSessionStorage } from "@react-router/cloudflare";
import { withTimeout } from "#app/server/timeout.ts";

export interface SessionDeps {
  /** Sessions lie among what can be fetched again: whoever loses theirs asks for a new link. */
  cache: KVNamespace;
  /** The current secret, then the one before it. */
  linkSecrets: string[];
  ownerEmail: string;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** `__Host-`: browsers take it from this host alone, over https (or on localhost). */
const SESSION_COOKIE = "__Host-owner";

/** How long the owner stays signed in (milliseconds). */
const SESSION_LIFETIME = 12 * 3_600_000;

/** A KV that takes longer than this counts as failed (milliseconds). */
const KV_TIMEOUT = 3_000;

/** Starts a session. @returns the `Set-Cookie` that carries it */
export async function startSession(deps: SessionDeps): Promise<string> {
  const storage = await storageOf(deps);
  const session = await storage.getSession();
  session.set("until", deps.now() + SESSION_LIFETIME);
  return storage.commitSession(session);
}

/** Whether a request's cookies hold a session that was started here, has not ended and is the present owner's. */
export async function isSignedIn(deps: SessionDeps, cookies: string | undefined): Promise<boolean> {
  if (cookies === undefined || !cookies.includes(SESSION_COOKIE)) return false;
  const storage = await storageOf(deps);
  const session = await storage.getSession(cookies);
  return Number(session.get("until") ?? 0) > deps.now();
}

/** Ends a session everywhere. @returns the `Set-Cookie` that removes it */
export async function endSession(deps: SessionDeps, cookies: string | undefined): Promise<string> {
  const storage = await storageOf(deps);
  return storage.destroySession(await storage.getSession(cookies));
}

async function storageOf({ cache, linkSecrets, ownerEmail }: SessionDeps) {
  return createWorkersKVSessionStorage<{ until: number }>({
    cookie: {
      name: SESSION_COOKIE,
      httpOnly: true,
      secure: true,
      sameSite: "lax",
      path: "/",
      maxAge: SESSION_LIFETIME / 1_000,
      secrets: await Promise.all(linkSecrets.map((secret) => cookieSecret(secret, ownerEmail))),
    },
    kv: sessionsIn(cache),
  });
}

/**
 * The key that signs cookies, made from the one that signs the links in mail: neither signature passes for the other. A
 * cookie of an owner before this one does not verify.
 */
async function cookieSecret(linkSecret: string, ownerEmail: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(linkSecret), algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, encoder.encode(`owner-session:v1:${ownerEmail}`));
  return new Uint8Array(signature).toBase64();
}

/** The part of KV that holds sessions, under keys of their own. */
function sessionsIn(cache: KVNamespace): KVNamespace {
  const key = (id: string) => `owner-session:${id}`;
  const kv = {
    // The storage asks for a new id as JSON, to see whether it is taken. KV would remember that it is not, for a minute.
    get: async (id: string, type?: "json") => (type === "json" ? null : inTime(cache.get(key(id)))),
    put: (id: string, value: string, options: KVNamespacePutOptions) => inTime(cache.put(key(id), value, options)),
    delete: (id: string) => inTime(cache.delete(key(id))),
  };
  return kv as unknown as KVNamespace;
}

function inTime<T>(work: Promise<T>): Promise<T> {
  return withTimeout(work, KV_TIMEOUT, "KV");
}
