import { drizzle } from "drizzle-orm/d1";
import type { AppContext } from "#app/context.ts";
import type { ProviderMailer } from "#app/email/mailer.server.ts";
import { wrapD1 } from "#app/server/db/wrap-d1.server.ts";

/** The same context, which reports its D1 statements and its requests to the email provider. */
export function countSubrequests(app: AppContext, take: (number: number) => void): AppContext {
  const db = drizzle(
    wrapD1(app.db.$client, (work, statements) => {
      take(statements.length);
      return work();
    }),
  );
  const { mailer } = app;
  if (mailer === null) return { ...app, db };
  const { batch } = mailer;
  const counted: ProviderMailer = {
    ...mailer,
    send: (...email) => {
      take(1);
      return mailer.send(...email);
    },
    ...(batch && {
      batch: (...emails) => {
        take(1);
        return batch(...emails);
      },
    }),
  };
  return { ...app, db, mailer: counted };
}
