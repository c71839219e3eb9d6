import type { Config } from "#app/server/config/config.server.ts";

/** Ids of the configured services. Public: every page that loads a service contains its id. */
export interface TagIds {
  measurementId?: string | undefined;
  pixelId?: string | undefined;
  beaconToken?: string | undefined;
}

/** The categories that have a configured service, separated by spaces. */
export function serviceCategories({ measurementId, beaconToken, pixelId }: TagIds): string {
  const analytics = measurementId === undefined && beaconToken === undefined ? [] : ["analytics"];
  const marketing = pixelId === undefined ? [] : ["marketing"];
  return [...analytics, ...marketing].join(" ");
}

export function tagIds(config: Config): TagIds {
  return {
    measurementId: config.GA_MEASUREMENT_ID,
    pixelId: config.META_PIXEL_ID,
    beaconToken: config.CF_BEACON_TOKEN,
  };
}
