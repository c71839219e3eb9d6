import { useRouteLoaderData } from "react-router";
import type { loader } from "#app/root.tsx";

/** The canonical origin, without a trailing slash; undefined if the root loader failed. */
export function useSiteUrl(): string | undefined {
  return useRouteLoaderData<typeof loader>("root")?.siteUrl;
}
