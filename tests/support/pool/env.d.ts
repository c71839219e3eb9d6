/** Bindings added by vitest.config.ts. */
declare namespace Cloudflare {
  interface Env {
    MIGRATIONS: import("cloudflare:test").D1Migration[];
    FAST_CHECK_SEED: number;
    FUZZ_FACTOR: number;
    SITE_URL: string;
    MAIL_FROM: string;
    CONTACT_EMAIL: string;
    CONTROLLER_NAME: string;
    CONTROLLER_ADDRESS: string;
    LINK_SECRET: string;
    HASH_KEY: string;
    EMAIL_EVENTS: Queue;
  }
}
