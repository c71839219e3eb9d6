import { useRouteLoaderData } from "react-router";
import type { loader } from "#app/root.tsx";

/** What pages say once the product is open. The server sends it, so that browsers download none of it before. */
export interface Launch {
  /** Of the product. */
  url: string;
  button: string;
  shortButton: string;
  lead: string;
  note: string;
  /** The site in a sentence, for search engines and shared links. */
  description: string;
}

/** Undefined before the launch, when `LAUNCH_URL` is unset. */
export function useLaunch(): Launch | undefined {
  return useRouteLoaderData<typeof loader>("root")?.launch;
}
