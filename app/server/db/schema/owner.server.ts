import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Owners' sign-in links, by the hash of their token. */
export const ownerSignInTokens = sqliteTable("owner_sign_in_tokens", {
  token_hash: text().primaryKey(),
  owner_id: text().notNull(),
  created_at: integer().notNull(),
  expires_at: integer().notNull(),
  used_at: integer(),
  /** The known browser that asked for the link, if any. */
  browser_id: text(),
  /** The keyed hash of the network that asked for it, if no known browser did. */
  network: integer(),
});

/** Owners who are signed in, by the hash of their session's id. */
export const ownerSessions = sqliteTable("owner_sessions", {
  session_hash: text().primaryKey(),
  owner_id: text().notNull(),
  created_at: integer().notNull(),
  expires_at: integer().notNull(),
});

/** What was done to the site's data, as the owners' log shows it. */
export type OwnerAction =
  | "sign-in"
  | "sign-out"
  | "sign-out-everywhere"
  | "create-sign-in-link"
  | "add-entry"
  | "unsubscribe"
  | "erase"
  | "erase-many"
  | "stop-erasing"
  | "unsubscribe-many"
  | "stop-unsubscribing"
  | "undo-unsubscribing"
  | "stop-undoing"
  | "resend-welcome"
  | "retry-emails"
  | "release-emails"
  | "try-emails"
  | "make-link"
  | "note"
  | "export"
  | "import"
  | "continue-import"
  | "stop-import"
  | "discard-import"
  | "download-problems"
  | "unsuppress"
  | "replace-link-secret"
  | "create-letter"
  | "duplicate-letter"
  | "test-letter"
  | "schedule-letter"
  | "unschedule-letter"
  | "send-letter"
  | "pause-letter"
  | "resume-letter"
  | "stop-letter"
  | "delete-letter"
  | "publish-letter"
  | "unpublish-letter"
  | "resolve-letter"
  | "create-step"
  | "change-step"
  | "switch-step-on"
  | "switch-step-off"
  | "extend-step"
  | "resume-step"
  | "delete-step"
  | "test-step"
  | "set-series-hour"
  | "accept-referral"
  | "refuse-referral"
  | "give-reward"
  | "take-back-reward"
  | "export-referrals"
  | "edit-email"
  | "restore-email"
  | "create-api-key"
  | "revoke-api-key"
  | "change-entry"
  | "add-endpoint"
  | "change-endpoint"
  | "delete-endpoint"
  | "replace-endpoint-secret"
  | "test-endpoint"
  | "send-events-again"
  | "allow-origin"
  | "remove-origin"
  | "make-fair-device"
  | "revoke-fair-device"
  | "accept-fair-sign-ups"
  | "discard-fair-sign-ups"
  | "close-fair-device";

/** Who did what and when. Kept for 12 months. */
export const ownerLog = sqliteTable("owner_log", {
  id: integer().primaryKey({ autoIncrement: true }),
  /** The address of an owner, or `command line`. */
  actor: text().notNull(),
  action: text().$type<OwnerAction>().notNull(),
  /** Ids, numbers and names of settings; never a visitor's address. */
  details: text({ mode: "json" }).$type<Record<string, string | number>>().notNull(),
  created_at: integer().notNull(),
});
