import { appContext } from "#app/context.ts";
import { servePicture } from "#app/pages/letters/picture.server.ts";
import { findLetterPicture } from "#app/pages/letters/public-letters.server.ts";
import type { Route } from "./+types/letter-picture";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { db, waitUntil } = context.get(appContext);
  const responses = await caches.open("letter-pictures");
  return servePicture({ responses, waitUntil }, url.origin + url.pathname, await findLetterPicture(db, params));
}
