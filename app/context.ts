import { createContext } from "react-router";
import type { ProviderMailer } from "#app/email/mailer.server.ts";
import type { DeliveryDeps } from "#app/email/sender.server.ts";
import type { Config } from "#app/server/config.server.ts";
import type { PlanLimits } from "#app/server/plan-limits.ts";
import type { OwnEntryDeps } from "#app/waitlist/my-data/own-entry.server.ts";
import type { SignUpDeps } from "#app/waitlist/sign-up.server.ts";

/** The dependencies of loaders, actions and API handlers, created by the Worker for each request. */
export interface AppContext extends DeliveryDeps, SignUpDeps, OwnEntryDeps {
  config: Config;
  mailer: ProviderMailer | null;
  plan: PlanLimits;
  /** For values that can be fetched or computed again. */
  cache: KVNamespace;
  /** The client's IP address, for rate limits; never stored. Clients without one share a limit. */
  clientIp: string;
  /** Cloudflare's id of the deployed Worker version. */
  version: string;
  /** CSP nonce of this response's inline scripts and styles. */
  nonce: string;
  /** Whether D1 has refused a query of this request or run, because the daily quota is used up. */
  isQuotaExceeded: () => boolean;
  /** Keeps the invocation alive until the work has finished, after the response. */
  waitUntil: (work: Promise<unknown>) => void;
}

/** A run of the cron job, which its steps share. */
export interface CronRun {
  /** When it started (milliseconds since 1970): steps may take more than a minute. */
  startedAt: number;
  /** D1 statements and requests to the email provider that are left. Those that a step makes are taken off. */
  subrequests: number;
  /** When steps that may take long should end (milliseconds since 1970). */
  until: number;
}

export const appContext = createContext<AppContext>();

/** What a page's structured data says of it, if it is an article. */
export interface Article {
  path: string;
  headline: string;
  description: string;
  /** ISO 8601. */
  published: string;
}

/** Set by the loader of a page that is an article. */
export const articleContext = createContext<Article | null>(null);

/** A form post that the Worker's guards rejected; otherwise null. */
export const rejectionContext = createContext<{ status: number; error?: unknown } | null>(null);
