import type { BatchItem } from "drizzle-orm/batch";
import { createContext } from "react-router";
import type { DisposableDomains } from "#app/server/abuse/disposable-domains.server.ts";
import type { RateLimits } from "#app/server/abuse/rate-limits.server.ts";
import type { Turnstile } from "#app/server/abuse/turnstile.server.ts";
import type { Config } from "#app/server/config/config.server.ts";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import type { NotificationOff, StoredSettings } from "#app/server/config/settings.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { BlockedReason } from "#app/server/db/schema/statistics.server.ts";
import type { NamedSql } from "#app/server/db/sql-batch.server.ts";
import type { EmailMessage, ProviderMailer } from "#app/server/mailer.server.ts";
import type { PageRecord } from "#app/server/page-record.ts";
import type { BritishDate } from "#app/server/time/british-date.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import type { Milestone } from "#app/site.ts";

/** What loaders, actions, API handlers and the cron job work with, created by the Worker for each request or run. */
export interface AppContext extends AddedByFeatures {
  config: Config;
  /**
   * Why D1 did not say what owners have set; null if it did. Until then the strictest holds: people confirm, no email is
   * sent, and no one is an owner.
   */
  settingsFailure: Error | null;
  /** When what they have set was read; null if it is not known. */
  settingsReadAt: EpochMillis | null;
  db: Db;
  /** Whether D1 has refused a query of this request or run, because the daily quota is used up. */
  isQuotaExceeded: () => boolean;
  /** For values that can be fetched or computed again. */
  cache: KVNamespace;
  plan: PlanLimits;
  now: () => EpochMillis;
  waitUntil: (work: Promise<unknown>) => void;
  /** Cloudflare's id of the deployed Worker version. */
  version: string;
  nonce: string;

  /** The current secret, then the previous one. */
  linkSecrets: string[];
  /** Signs tokens that only unsubscribe, and keys the hashes of mailboxes. */
  hashKey: string;

  /** Null while no sender is configured: emails wait. */
  mailer: ProviderMailer | null;
  /** The send limit: emails the whole site may send to entries per hour. Others wait. */
  emailsPerHour: number;
  emailContext: EmailContext;
  /** Waits for the provider's next rate-limit window. Default: a timer. */
  wait?: (time: Millis) => Promise<void>;

  /** The client's IP address, for rate limits; never stored. Clients without one share a limit. */
  clientIp: string;
  limits: RateLimits;
  /** Null where Turnstile is not configured. */
  turnstile: Turnstile | null;
  disposableDomains: DisposableDomains;
  refusesDisposable: boolean;
  countBlocked: (reason: BlockedReason) => void;
  /** Whether new subscribers have to confirm their address (`CONFIRM_ADDRESSES`). */
  mustConfirm: boolean;
  /** Where the product is, once it has launched (`LAUNCH_URL`): no one joins the waitlist any more. */
  launchUrl: string | undefined;
}

export interface EmailContext {
  siteUrl: string;
  replyTo: string;
  launchUrl?: string | undefined;
  /** Signs links to the recipient's entry, and sign-in links. */
  linkSecret: string;
  hashKey: string;
  /** The owners' addresses, as `normaliseEmail` returns them. */
  ownerEmails: string[];
  /** Those that the page for settings has removed. Only the emails that say so go to them. */
  formerOwnerEmails?: readonly string[];
  notificationsOff?: readonly NotificationOff[];
  /** IANA name of the time zone in emails to the owner. */
  ownerTimeZone: string;
  /** Who is responsible for people's data: name and postal address. */
  controller: { name: string; address: string };
  /** Renders a letter that one person is sent again; absent if the site sends no letters. */
  composeLetter?: ComposeLetterEmail | undefined;
}

/** What the outbox knows of an email that repeats a letter. The same arguments give the same bytes. */
export interface RepeatedLetter {
  /** The row of the letter as JSON; null if there is none. */
  letter?: string | null;
  entryId: number | null;
  email: string | null;
  data: object | null;
  /** When it was queued: the same for all attempts. */
  createdAt: EpochMillis;
}

export type ComposeLetterEmail = (repeated: RepeatedLetter, context: EmailContext) => Promise<EmailMessage>;

/** What features add to the work of the floors below them, as the Worker's list has it. */
export interface AddedByFeatures {
  entryHooks: EntryHooks;
  collections: readonly PageCollection[];
  /** By the feature's name. */
  health: Readonly<Record<string, (app: AppContext) => Promise<unknown>>>;
  composeLetter?: ComposeLetterEmail | undefined;
  /** What owners have set in place of variables and app/site.ts: one row is read. */
  readSettings?: ((db: Db) => Promise<StoredSettings>) | undefined;
}

/** Public pages whose addresses come from the database. They can be cached, and the sitemap lists them. */
export interface PageCollection {
  includes(path: string): boolean;
  /** Newest first. */
  list(db: Db, limit?: number): Promise<Pick<PageRecord, "path" | "lastModified">[]>;
  newest(db: Db): Promise<NewestPage | null>;
}

export interface NewestPage {
  path: `/${string}`;
  title: string;
  date: BritishDate;
  /** What it begins with, as plain text; empty without any. */
  firstLine: string;
}

/** What a feature adds to the D1 batch of a change. */
export interface EntryHooks {
  /**
   * The statement to run right after the one that adds the entry of someone who came through a personal link. It must change
   * the same number of rows. Null if the code is malformed; a valid code may still belong to no one.
   */
  onSignUp?: (signUp: { email: string; via: string; hashKey: string }) => Promise<NamedSql | null>;
  /**
   * Statements after those that confirm the address of an entry. Not called where no one has to confirm: a friend then
   * counts when all others do. `milestones`: empty if they are looked for later.
   */
  onConfirmed?: (db: Db, confirmed: { entryId: number; now: EpochMillis; milestones: readonly Milestone[] }) => Query[];
}

type Query = BatchItem<"sqlite">;

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
