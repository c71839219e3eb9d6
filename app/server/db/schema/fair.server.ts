import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Tablets at fairs. */
export const fairDevices = sqliteTable("fair_devices", {
  id: integer().primaryKey({ autoIncrement: true }),
  /** The event, as people read it. */
  event: text().notNull(),
  /** What its sign-ups get as their source. */
  source: text().notNull(),
  /** SHA-256 of the code in the owner's QR code. */
  code_hash: text().notNull().unique("fair_devices_code_hash"),
  created_at: integer().notNull(),
  expires_at: integer().notNull(),
  /** SHA-256 of the key that the tablet made; null until it has scanned the code. */
  key_hash: text().unique("fair_devices_key_hash"),
  armed_at: integer(),
  /** P-256, uncompressed, base64url. */
  public_key: text().notNull(),
  /** PKCS #8, base64url. Null once the owner has decided on all it sent. */
  private_key: text(),
  revoked_at: integer(),
  closed_at: integer(),
  last_seen_at: integer(),
  /** Sign-ups that the server has had from it. */
  received: integer().notNull().default(0),
  /** How many waited on the tablet at the end of its last contact. */
  waiting: integer().notNull().default(0),
  /** When the tablet first said that its form is closed, so that nothing new can come from it. */
  form_closed_at: integer(),
});

/**
 * What tablets sent and the site has not added yet. `due`: the next job of the tablet adds it. `put-off`: a job of its own
 * does. `held`: the owner decides. WITHOUT ROWID, in the order in which it is added: a job reads only what it adds, however
 * much is held or was put off.
 */
export const fairInbox = sqliteTable(
  "fair_inbox",
  {
    /** The UUID that the tablet gave it. */
    id: text().notNull(),
    device_id: integer().notNull(),
    state: text().$type<"due" | "put-off" | "held">().notNull(),
    reason: text().$type<ReviewReason>(),
    /** When it came, or was last held. */
    changed_at: integer().notNull(),
    typed_at: integer().notNull(),
    consent_version: text().notNull(),
    sealed: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.device_id, table.state, table.typed_at, table.id] }),
    uniqueIndex("fair_inbox_id").on(table.id),
  ],
);

/**
 * `expired`, `revoked`: the device was, before it was added. `limit`: the device has sent more than one device may.
 * `mailbox`: for days its mailbox has had as many emails as it may. `unreadable`, `address`, `disposable`: it cannot be
 * opened, its address is not valid, or is one of those that the site refuses. `launched`: nobody joins any more.
 */
export type ReviewReason =
  | "expired"
  | "revoked"
  | "limit"
  | "mailbox"
  | "unreadable"
  | "address"
  | "disposable"
  | "launched";

/** The ids of sign-ups that were decided, so that one sent again is not added again. WITHOUT ROWID. */
export const fairSignUps = sqliteTable("fair_sign_ups", {
  id: text().primaryKey(),
  device_id: integer().notNull(),
});
