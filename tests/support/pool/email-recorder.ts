import type { EmailMessage, Mailer } from "#app/email/mailer.server.ts";
import { entryTemplates } from "#app/email/render-email.server.ts";
import type { EmailKind } from "#app/server/db/schema/email.server.ts";

export interface RecordedEmail {
  /** Its id in the outbox. */
  id: string;
  kind: EmailKind;
  entryId: number;
  to: string;
  accepted: boolean;
}

/**
 * A mailer that records the emails submitted to it.
 *
 * @param onSend called before each email is accepted; if it rejects, the email is not accepted and its outcome unknown
 */
export function emailRecorder(onSend: (email: RecordedEmail) => Promise<void>) {
  const recorded: RecordedEmail[] = [];
  const mailer: Mailer = {
    keyLifetime: 0,
    async send(message, id) {
      const record = { id, ...parse(message), to: message.to, accepted: false };
      recorded.push(record);
      try {
        await onSend(record);
      } catch (error) {
        return { state: "unknown", reason: "unreachable", detail: String(error) };
      }
      record.accepted = true;
      return { state: "sent" };
    },
  };
  return { mailer, recorded };
}

/** Reads an email's kind and entry id from its subject and link. */
function parse({ subject, text }: EmailMessage): { kind: EmailKind; entryId: number } {
  const id = /\/(?:your-data|confirm)\/([0-9a-z]+)[-.]/.exec(text)?.[1] ?? "";
  return { kind: kindOf(subject), entryId: Number.parseInt(id, 36) };
}

function kindOf(subject: string): EmailKind {
  const kind = kindsBySubject.get(subject);
  if (kind === undefined) throw new Error(`no email to an entry has the subject ${JSON.stringify(subject)}`);
  return kind;
}

const props = {
  siteUrl: "",
  dataUrl: "",
  confirmUrl: "",
  unsubscribeUrl: "",
  controller: { name: "", address: "" },
};

const kindsBySubject = new Map(
  Object.entries(entryTemplates).map(([kind, template]) => [template(props).subject, kind as EmailKind]),
);
