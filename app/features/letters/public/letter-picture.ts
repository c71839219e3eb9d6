import type { LoaderFunctionArgs } from "react-router";
import { serveLetterPicture } from "#app/features/letters/public/picture.server.ts";
import { appContext } from "#app/server/context.ts";

export async function loader({ context, params, request }: LoaderFunctionArgs) {
  const app = context.get(appContext);
  const responses = await caches.open("letter-pictures");
  // Not the loader's `url`, which React Router has normalised.
  return serveLetterPicture({ ...app, siteUrl: app.config.SITE_URL, responses }, new URL(request.url), {
    id: params["id"] ?? "",
    name: params["name"] ?? "",
  });
}
