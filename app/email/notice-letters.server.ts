import type { NoticeKind } from "#app/db/schema.server.ts";
import { type AlertFacts, alertLetter } from "#app/email/alert-mail.server.ts";
import { type CeilingFacts, ceilingLetter } from "#app/email/ceiling-mail.server.ts";
import { type DigestFacts, digestLetter } from "#app/email/digest-mail.server.ts";

/** What each kind of notice tells. It is kept in the database, and names no visitor. */
export interface NoticeFacts extends Record<NoticeKind, object> {
  "mail-ceiling": CeilingFacts;
  digest: DigestFacts;
  alert: AlertFacts;
}

export type Notice = { [Kind in NoticeKind]: { kind: Kind; facts: NoticeFacts[Kind] } }[NoticeKind];

/** What a notice's words are made with beside its facts. */
export interface NoticeSetting {
  siteUrl: string;
  timeZone: string;
}

/** Writes the mail of a notice: subject, text and HTML. */
export function writeNotice({ kind, facts }: Notice, setting: NoticeSetting) {
  switch (kind) {
    case "mail-ceiling":
      return ceilingLetter(facts, setting);
    case "digest":
      return digestLetter(facts, setting);
    case "alert":
      return alertLetter(facts, setting);
  }
}
