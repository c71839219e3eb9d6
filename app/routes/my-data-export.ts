import { redirect } from "react-router";
import { appContext } from "#app/server/context.ts";
import { myDataPath } from "#app/waitlist/my-data/links.server.ts";
import { LIMITED } from "#app/waitlist/my-data/my-data.tsx";
import { checkOwnLimits } from "#app/waitlist/my-data/own-limits.server.ts";
import { exportOwnEntry } from "#app/waitlist/my-data/stored-data.server.ts";
import type { Route } from "./+types/my-data-export";

/** A POST, so that email scanners, which open links, do not download the data. */
export async function action({ context, params }: Route.ActionArgs) {
  const app = context.get(appContext);
  const wait = await checkOwnLimits(app, params.token, "export");
  if (wait !== null) return new Response(`${LIMITED}\n`, { status: 429, headers: { "Retry-After": String(wait) } });
  const exported = await exportOwnEntry(app, params.token);
  if (exported === null) return redirect(myDataPath(params.token), 303);
  return new Response(`${JSON.stringify(exported, null, 2)}\n`, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="my-data.json"',
    },
  });
}

export function loader({ params }: Route.LoaderArgs) {
  return redirect(myDataPath(params.token), 303);
}
