import { appContext } from "#app/context.ts";
import { blogDeps } from "#app/pages/blog/blog-deps.server.ts";
import { servePicture } from "#app/pages/blog/picture.server.ts";
import type { Route } from "./+types/blog-picture";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const responses = await caches.open("blog-pictures");
  return servePicture({ ...blogDeps(context.get(appContext)), responses }, url, params.name);
}
