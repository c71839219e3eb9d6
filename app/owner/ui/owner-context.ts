import type { SQL } from "drizzle-orm";
import type { Context } from "hono";
import type { ReactNode } from "react";
import type { AppContext } from "#app/server/context.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { Owner } from "#app/server/owners.server.ts";
import type { PageRecord } from "#app/server/page-record.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

export interface Session {
  /** Identifies the session in the database. */
  hash: string;
  owner: Owner;
  /** The `Set-Cookie` header that records this use; null if the last one is recent. */
  renewal: string | null;
}

/** Hono bindings for the owner's handlers, which are mounted only if an owner is configured. */
export interface OwnerBindings {
  /** `Env`, whose type scripts do not know. */
  Bindings: object;
  Variables: {
    app: AppContext & { owners: Owner[]; timeZone: string };
    publicPages: readonly PageRecord[];
    sections: readonly OwnerSection[];
    owner: Owner;
    session: Session;
    /** The fields that were posted; empty if the body is no form. */
    form: FormData;
    /** Adds an action of the owner to the log. Call it after the change, and only if something changed. */
    record: (action: string, details?: Record<string, string | number>) => Promise<void>;
  };
}

export type OwnerContext = Context<OwnerBindings>;

export type OwnerHandler = (c: OwnerContext) => Response | Promise<Response>;

/** A part of the owner's pages, with all that the other parts show of it. */
export interface OwnerSection {
  /** Names it in `Page`. */
  section: string;
  /**
   * Its link in the navigation; absent for a section without one. The sections of a `group` share one link there, and each
   * of their pages links to the others.
   */
  link?: { href: `/owner${string}`; name: string; group?: string };
  /** The address of the stylesheet for its pages; absent if `owner.css` has their styles. */
  styles?: string;
  routes: OwnerRoute[];
  /** What the owner reads after a change, by the `done` parameter of the URL. */
  outcomes?: Record<string, string>;
  subject?: LogSubject;
  /** What the page of an entry shows of it. */
  entryPart?: (c: OwnerContext, entryId: number) => Promise<ReactNode>;
  /** Its pages that change what other sections speak of. */
  changes?: SettingPages;
  /** What needs the owner's attention now, for the overview. */
  attention?: (c: OwnerContext) => Promise<AttentionItem[]>;
  /** What will begin by itself, for the overview. */
  upcoming?: (c: OwnerContext) => Promise<UpcomingItem[]>;
  /** What a new site lacks, for the overview: after its own steps, in the order of the sections. */
  firstSteps?: (c: OwnerContext) => FirstStep[];
}

/** The pages that change settings, by what they change. */
export type SettingPages = Partial<
  Record<"launch" | "founder" | "contact" | "links" | "sign-ups" | "emails" | "rewards", `/owner/${string}`>
>;

/** The page that changes something; undefined if the site has none, so that it is changed by a deployment. */
export function pageToChange({ var: { sections } }: OwnerContext, what: keyof SettingPages): string | undefined {
  return sections.flatMap(({ changes }) => changes?.[what] ?? [])[0];
}

/** A step that an owner takes once. It is ticked off automatically, and can be dismissed. */
export interface FirstStep {
  /** Names it in the database, so it never changes: small letters and hyphens. */
  key: string;
  title: string;
  /** The condition in SQL reads one row. */
  isDone: boolean | SQL;
  /** A sentence or two, perhaps with a line that begins with `Advanced:`. */
  text: string;
  /** Where it is done. */
  action?: { label: string; href: string };
}

export interface UpcomingItem {
  at: EpochMillis;
  /** Such as a subject, and the page about it. */
  name: string;
  href: `/owner/${string}`;
  /** After the time: `letter to about 1,200 people`. */
  text: string;
}

export interface AttentionItem {
  /** A sentence or two, perhaps with a line that begins with `Advanced:`. */
  text: string;
  /**
   * A page to go to, or a form to post: its address with the fields. What the page is `about` follows the label for those who
   * hear the link alone.
   */
  action?:
    | { label: string; about?: string; href: string }
    | { label: string; post: string; fields?: Record<string, string> };
}

interface OwnerRoute {
  method: "get" | "post";
  /** Below `/owner`. An `:id` is a number. */
  path: string;
  handler: OwnerHandler;
  /** Default: the session, which is checked before the body is read. */
  guard?: "none" | "session";
  /** The largest form (bytes). Default: `MAX_BODY_BYTES`. */
  maxBody?: number;
  /** Responds to a larger form. Default: as to an unauthorised request. */
  tooLarge?: OwnerHandler;
}

export interface LogSubject {
  /** The detail of an action that has the subject's id. */
  key: string;
  name: string;
  path: `/owner/${string}`;
  /** What those that still exist are called, by id; absent where only the number may be shown. */
  names?: (db: Db, ids: number[]) => Promise<Map<number, string>>;
  /** The action that leaves no page of it; absent if none does. */
  endedBy?: string;
}

/** A number in a URL, such as the id of a row. */
export function parseId(value: string | null | undefined): number | undefined {
  return value && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}
