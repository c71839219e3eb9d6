import { type AlertProps, alertEmail } from "#app/email/templates/alert-email.server.ts";
import { type DigestProps, digestEmail } from "#app/email/templates/digest-email.server.ts";
import { type SendLimitProps, sendLimitEmail } from "#app/email/templates/send-limit-email.server.ts";
import type { NotificationKind } from "#app/server/db/schema.server.ts";

/** What each kind of notice tells. It is kept in the database, and names no visitor. */
export interface NotificationProps extends Record<NotificationKind, object> {
  "mail-ceiling": SendLimitProps;
  digest: DigestProps;
  alert: AlertProps;
}

export type Notice = { [Kind in NotificationKind]: { kind: Kind; facts: NotificationProps[Kind] } }[NotificationKind];

/** What a notice's words are made with beside its facts. */
export interface NotificationContext {
  siteUrl: string;
  timeZone: string;
}

/** Writes the mail of a notice: subject, text and HTML. */
export function renderNotification({ kind, facts }: Notice, setting: NotificationContext) {
  switch (kind) {
    case "mail-ceiling":
      return sendLimitEmail(facts, setting);
    case "digest":
      return digestEmail(facts, setting);
    case "alert":
      return alertEmail(facts, setting);
  }
}
