import type { Config } from "#app/server/config/config.server.ts";
import { launched } from "#app/site.ts";
import type { Launch } from "#app/ui/root-data.ts";

/** An object to spread: without `launch` before the launch, so that it adds nothing to the pages. */
export function launchData({ LAUNCH_URL }: Config): { launch?: Launch } {
  return LAUNCH_URL === undefined ? {} : { launch: { url: LAUNCH_URL, ...launched } };
}
