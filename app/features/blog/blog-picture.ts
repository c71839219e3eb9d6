import type { LoaderFunctionArgs } from "react-router";
import { serveBlogPicture } from "#app/features/blog/picture.server.ts";
import { blogDeps } from "#app/features/blog/posts.server.ts";
import { appContext } from "#app/server/context.ts";

export async function loader({ context, params, request }: LoaderFunctionArgs) {
  const app = context.get(appContext);
  const responses = await caches.open("blog-pictures");
  // Not the loader's `url`, which React Router has normalised.
  const url = new URL(request.url);
  const asked = { name: params["name"] ?? "", accept: request.headers.get("Accept") ?? "" };
  return serveBlogPicture({ ...blogDeps(app), siteUrl: app.config.SITE_URL, responses }, url, asked);
}
