import { blogDeps } from "#app/blog/blog-deps.server.ts";
import { answerPicture } from "#app/blog/picture.server.ts";
import { appContext } from "#app/context.ts";
import type { Route } from "./+types/blog-picture";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const answers = await caches.open("blog-pictures");
  return answerPicture({ ...blogDeps(context.get(appContext)), answers }, url, params.name);
}
