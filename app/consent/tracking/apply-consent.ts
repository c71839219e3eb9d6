import type { Preference } from "#app/consent/preference-cookie.ts";
import type { TagIds } from "#app/consent/tracking/tag-ids.ts";
import { deliverTo, type SiteEvent, shownPage } from "#app/consent/tracking/track.ts";

type Tags = typeof import("#app/consent/tracking/tags.ts");

let tags: Promise<Tags> | null = null;

/** What happened while the code was on its way. */
const waiting: SiteEvent[] = [];

/**
 * Makes the services follow a choice. Their code is not even fetched before there is something to start.
 *
 * Never rejects: a failure is a warning.
 *
 * @returns whether scripts that ran were stopped, so that only a reload ends them for certain
 */
export async function applyConsent(ids: TagIds, preference: Preference): Promise<boolean> {
  disableAnalytics(ids, !preference.analytics);
  if (tags === null && !startsAnything(ids, preference)) return false;
  const page = shownPage();
  try {
    tags ??= loadTags();
    const { applyPreference, send } = await tags;
    const stopped = applyPreference(ids, preference, page);
    for (const event of waiting.splice(0)) send(event);
    deliverTo(send);
    return stopped;
  } catch (error) {
    console.warn("Tracking failed", error);
    tags = null;
    return false;
  }
}

/** Google's own switch, which a running script looks at before it sends. */
function disableAnalytics({ measurementId }: TagIds, disabled: boolean): void {
  if (measurementId !== undefined) Object.assign(window, { [`ga-disable-${measurementId}`]: disabled });
}

function startsAnything({ measurementId, beaconToken, pixelId }: TagIds, { analytics, marketing }: Preference) {
  return (analytics && Boolean(measurementId ?? beaconToken)) || (marketing && pixelId !== undefined);
}

function loadTags(): Promise<Tags> {
  deliverTo((event) => waiting.push(event));
  return import("#app/consent/tracking/tags.ts");
}
