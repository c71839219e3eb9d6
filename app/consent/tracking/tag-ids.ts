import type { Config } from "#app/server/config.server.ts";

/** Ids of the configured services. Public: every page that loads a service contains its id. */
export interface TagIds {
  measurementId?: string | undefined;
  pixelId?: string | undefined;
  beaconToken?: string | undefined;
}

export function tagIds(config: Config): TagIds {
  return {
    measurementId: config.GA_MEASUREMENT_ID,
    pixelId: config.META_PIXEL_ID,
    beaconToken: config.CF_BEACON_TOKEN,
  };
}
