import { drizzle } from "drizzle-orm/d1";
import type { Db } from "#app/server/db/client.server.ts";
import { wrapD1 } from "#app/server/db/wrap-d1.server.ts";
import type { Mailer } from "#app/server/mailer.server.ts";

/** The same context, which reports its D1 statements and its requests to the email provider. */
export function countSubrequests<App extends { db: Db; mailer: Mailer | null }>(
  app: App,
  take: (number: number) => void,
): App {
  const db = drizzle(
    wrapD1(app.db.$client, (work, statements) => {
      take(statements.length);
      return work();
    }),
  );
  const { mailer } = app;
  if (mailer === null) return { ...app, db };
  const { batch } = mailer;
  const counted: Mailer = {
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
