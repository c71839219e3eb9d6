import type { SQL } from "drizzle-orm";
import type { Hono, MiddlewareHandler } from "hono";
import type { BatchGroup } from "#app/email/sender.server.ts";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";
import type {
  AddedByFeatures,
  AppContext,
  ComposeLetterEmail,
  EntryHooks,
  PageCollection,
} from "#app/server/context.ts";
import type { CronRun, CronStep } from "#app/server/cron.ts";
import type { AppBindings, RenderPage } from "#app/server/http/bindings.ts";
import type { JobHandler } from "#app/server/queue.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/**
 * A part of the site with a folder in `app/features`; a site can do without most of them. It names files by their paths, and
 * imports on demand, so that the build can read the list in `features.ts` and leave out what is not in it.
 */
export interface Feature {
  /** The name of its folder. */
  name: string;
  routes?: readonly FeatureRoute[];
  /** Loaded when the Worker starts. */
  server?: () => Promise<{ server: FeatureServer }>;
}

export interface FeatureRoute {
  path: string;
  /** From `app/`. */
  file: string;
  /** Two addresses of one file need different ids. */
  id?: string;
  /** Whether it has no header and footer: a picture, a feed. */
  isBare?: boolean;
  caseSensitive?: boolean;
}

export interface FeatureServer {
  /** Its parts of the owner's pages. They stand in the navigation in the order of the list. */
  sections?: readonly OwnerSection[];
  /** Adds handlers and guards of its own addresses: after the common middleware, before all other routes. */
  mount?: (app: Hono<AppBindings>, renderPage: RenderPage) => void;
  /** Changes headers of the responses below a path, after the Worker has set its own. */
  headers?: { path: string; middleware: MiddlewareHandler<AppBindings> };
  /** Learns of every GET that was answered with 200, also from the cache. */
  onPage?: (page: ServedPage) => void;
  /** Public pages whose addresses come from the database. */
  collection?: PageCollection;
  /** What `/healthcheck` says of it, by its name. It never causes a 503. */
  health?: (app: AppContext) => Promise<unknown>;
  /** One feature at most has them. */
  entryHooks?: EntryHooks;
  /** Steps of the cron job that queue emails for the next run: right after those that are due. */
  firstSteps?: Record<string, CronStep>;
  /** Steps of the cron job, after those that the site cannot do without. */
  steps?: Record<string, CronStep>;
  /** Its kinds of jobs, which the cron job works on last. */
  jobs?: readonly JobHandler<AppContext>[];
  /** The condition of jobs that will not be done any more; some only if due before a time. */
  unwantedJobs?: (before: EpochMillis) => SQL;
  /** What the sender sends after single emails. One feature at most has them. */
  batches?: (app: AppContext, run: CronRun) => AsyncGenerator<BatchGroup, void, void>;
  /** What owners have set in place of variables and app/site.ts. One feature at most has it. */
  readSettings?: AddedByFeatures["readSettings"];
  /** Renders a letter that one person is sent again, for the outbox. One feature at most does. */
  composeLetter?: ComposeLetterEmail;
  /** What a cron trigger of its own in `wrangler.toml` runs, with an invocation's limits for itself. */
  trigger?: { cron: string; run: (app: AppContext) => Promise<void> };
}

/** A GET that was answered with 200, and what a feature may use then: there may be no context, as a cached page needs none. */
export interface ServedPage extends Pick<AppContext, "config" | "waitUntil"> {
  request: Request;
  /** Those of public pages. Other paths may hold tokens. */
  publicPaths: ReadonlySet<string>;
  openDb: () => AppContext["db"];
}
