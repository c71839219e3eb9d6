import type { Launch } from "#app/layout/launch.ts";
import type { Config } from "#app/server/config.server.ts";
import { launched } from "#app/site.ts";

/** An object to spread: without `launch` before the launch, so that it adds nothing to the pages. */
export function launchData({ LAUNCH_URL }: Config): { launch?: Launch } {
  return LAUNCH_URL === undefined ? {} : { launch: { url: LAUNCH_URL, ...launched } };
}
