/** The bindings in wrangler.toml. Variables are untyped here, because only `parseConfig` reads them. */
declare namespace Cloudflare {
  interface Env {
    DB: D1Database;
    CACHE: KVNamespace;
    EMAIL: SendEmail;
    /** The files in `public/`. Missing where the Worker runs without them. */
    ASSETS?: Fetcher;
    CLIENT_LIMIT: RateLimit;
    NETWORK_56_LIMIT: RateLimit;
    NETWORK_48_LIMIT: RateLimit;
    ADDRESS_LIMIT: RateLimit;
    STRICT_LIMIT: RateLimit;
    UNVERIFIED_LIMIT: RateLimit;
    API_LIMIT: RateLimit;
    FAIR_LIMIT: RateLimit;
    VERSION: WorkerVersionMetadata;
  }
}

interface Env extends Cloudflare.Env {}
