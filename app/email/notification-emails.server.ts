import { type AlertProps, alertEmail } from "#app/email/templates/alert-email.server.ts";
import { type DigestProps, digestEmail } from "#app/email/templates/digest-email.server.ts";
import { type SendLimitProps, sendLimitEmail } from "#app/email/templates/send-limit-email.server.ts";
import type { NotificationKind } from "#app/server/db/schema.server.ts";

/** Props of each kind of notification. Stored in the database; they name no visitor. */
export interface NotificationProps extends Record<NotificationKind, object> {
  "mail-ceiling": SendLimitProps;
  digest: DigestProps;
  alert: AlertProps;
}

export type OwnerNotification = {
  [Kind in NotificationKind]: { kind: Kind; facts: NotificationProps[Kind] };
}[NotificationKind];

export interface NotificationContext {
  siteUrl: string;
  timeZone: string;
}

/** Renders a notification's subject, text and HTML. */
export function renderNotification({ kind, facts }: OwnerNotification, context: NotificationContext) {
  switch (kind) {
    case "mail-ceiling":
      return sendLimitEmail(facts, context);
    case "digest":
      return digestEmail(facts, context);
    case "alert":
      return alertEmail(facts, context);
  }
}
