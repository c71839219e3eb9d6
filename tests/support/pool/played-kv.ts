/** https://developers.cloudflare.com/kv/platform/limits/ */
const FREE_WRITES = 1_000;

/** How long a location may serve what it has read (milliseconds). https://developers.cloudflare.com/kv/concepts/how-kv-works/ */
const STALE_FOR = 60_000;

/** The shortest time that a value may live (seconds). */
const MIN_LIFETIME = 60;

interface Stored {
  value: string;
  expiresAt: number;
}

/**
 * Workers KV in memory with a played clock, as strict as Cloudflare: the writes of a day (UTC) are limited, a key takes one
 * write a second, and each location may see a value, or that there is none, for another minute.
 */
export function playedKv(now: () => number, { writes = FREE_WRITES } = {}) {
  const stored = new Map<string, Stored>();
  const writtenAt = new Map<string, number>();
  const attempts: { day: string; key: string; ok: boolean }[] = [];
  const day = () => new Date(now()).toISOString().slice(0, 10);
  const writesToday = () => attempts.filter((attempt) => attempt.ok && attempt.day === day()).length;

  function write(key: string, change: () => void): void {
    const isTooSoon = now() - (writtenAt.get(key) ?? Number.NEGATIVE_INFINITY) < 1_000;
    const ok = !isTooSoon && writesToday() < writes;
    attempts.push({ day: day(), key, ok });
    if (!ok) throw new Error("KV PUT failed: 429 Too Many Requests");
    writtenAt.set(key, now());
    change();
  }

  /** The binding of one isolate. Isolates of one location share what it has read. */
  function location(): () => KVNamespace {
    const seen = new Map<string, { value: string | null; at: number }>();

    function read(key: string): string | null {
      const cached = seen.get(key);
      if (cached !== undefined && now() - cached.at < STALE_FOR) return cached.value;
      const found = stored.get(key);
      const value = found !== undefined && now() < found.expiresAt ? found.value : null;
      seen.set(key, { value, at: now() });
      return value;
    }

    const parse = (value: string | null, type: unknown) =>
      value !== null && (type === "json" || (type as { type?: string })?.type === "json") ? JSON.parse(value) : value;

    return () =>
      ({
        async get(keys: string | string[], type?: unknown) {
          if (typeof keys === "string") return parse(read(keys), type);
          return new Map(keys.map((key) => [key, parse(read(key), type)]));
        },
        async put(key: string, value: string, { expiration, expirationTtl }: KVNamespacePutOptions = {}) {
          const seconds = now() / 1_000;
          const expiresAt =
            expirationTtl === undefined ? (expiration ?? Number.POSITIVE_INFINITY) : seconds + expirationTtl;
          if (expiresAt - seconds < MIN_LIFETIME) throw new Error("KV PUT failed: 400 Invalid expiration");
          write(key, () => {
            stored.set(key, { value, expiresAt: expiresAt * 1_000 });
            seen.set(key, { value, at: now() });
          });
        },
        async delete(key: string) {
          write(key, () => {
            stored.delete(key);
            seen.set(key, { value: null, at: now() });
          });
        },
      }) as unknown as KVNamespace;
  }

  return {
    location,
    stored,
    writesToday,
    /** The successful writes of each key. */
    writesOf: (prefix: string) => attempts.filter(({ ok, key }) => ok && key.startsWith(prefix)).length,
    refused: () => attempts.filter(({ ok }) => !ok).length,
  };
}
