import type { SQL } from "drizzle-orm";
import type { Hono, MiddlewareHandler } from "hono";
import type { BatchGroup } from "#app/email/sender.server.ts";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";
import type { AppContext, EntryHooks, PageCollection } from "#app/server/context.ts";
import type { CronRun, Step } from "#app/server/cron.ts";
import type { AppBindings, RenderPage } from "#app/server/http/bindings.ts";
import type { JobHandler } from "#app/server/queue.server.ts";

/**
 * A part that the site can do without, in a folder of `app/features`: what the build and the Worker know of it. It says so
 * by paths and on demand, so that the build can read it, and leaves out what is not in the list of `features.ts`.
 */
export interface Feature {
  /** Of its folder. */
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
  /** Adds its addresses that React Router does not serve. They come before all others. */
  mount?: (app: Hono<AppBindings>, renderPage: RenderPage) => void;
  /** Changes headers of the responses below a path, after the Worker has set its own. */
  headers?: { path: string; middleware: MiddlewareHandler<AppBindings> };
  /** Learns of a public page that was served, also from the cache. */
  onPage?: (page: ServedPage) => void;
  /** Public pages whose addresses come from the database. */
  collection?: PageCollection;
  /** What `/healthcheck` says of it, by its name. It never causes a 503. */
  health?: (app: AppContext) => Promise<unknown>;
  entryHooks?: EntryHooks;
  /** Steps of the cron job, after those that the site cannot do without. */
  steps?: Record<string, Step>;
  /** Its kinds of jobs, which the cron job works on last. */
  jobs?: readonly JobHandler<AppContext>[];
  /** Jobs that nobody waits for any more: those that were due before a time (milliseconds since 1970). */
  unwantedJobs?: (before: number) => SQL;
  /** What the sender sends after single emails. */
  batches?: (app: AppContext, run: CronRun) => AsyncGenerator<BatchGroup, void, void>;
  /** What a cron trigger of its own in `wrangler.toml` runs, with an invocation's limits for itself. */
  trigger?: { cron: string; run: (app: AppContext) => Promise<void> };
}

/** A public page that was served, and what a feature may use then: there is no context yet. */
export interface ServedPage extends Pick<AppContext, "config" | "waitUntil"> {
  request: Request;
  publicPaths: ReadonlySet<string>;
  openDb: () => AppContext["db"];
}
