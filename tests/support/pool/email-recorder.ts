import type { Mail, Mailer } from "#app/email/mailer.server.ts";
import type { EmailKind } from "#app/server/db/schema.server.ts";

/** A mail that a mailer was handed, and whether it took it. */
export interface RecordedEmail {
  kind: EmailKind;
  entryId: number;
  accepted: boolean;
}

/**
 * A mailer that notes what it is handed.
 *
 * @param answer told of each mail before it is taken; one that rejects did not take it
 */
export function emailRecorder(answer: (mail: RecordedEmail) => Promise<void>) {
  const handed: RecordedEmail[] = [];
  const mailer: Mailer = {
    async send(mail) {
      const record = { ...read(mail), accepted: false };
      handed.push(record);
      await answer(record);
      record.accepted = true;
    },
  };
  return { mailer, handed };
}

/** What a mail is and whom it is about, as its own words say. */
function read({ subject, text }: Mail): { kind: EmailKind; entryId: number } {
  const id = /\/your-data\/([0-9a-z]+)\./.exec(text)?.[1] ?? "";
  return { kind: subject.includes("back on") ? "rejoin" : "welcome", entryId: Number.parseInt(id, 36) };
}
