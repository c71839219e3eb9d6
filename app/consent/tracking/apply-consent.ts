import type { Preference } from "#app/consent/preference-cookie.ts";
import type { TagIds } from "#app/consent/tracking/tag-ids.ts";
import type * as tagsModule from "#app/consent/tracking/tags.ts";
import { currentPage, type SiteEvent, setReceiver } from "#app/consent/tracking/track.ts";

type Tags = typeof tagsModule;

let tags: Promise<Tags> | null = null;

/** The last choice, which may be made while the services' code is loading. */
let latest: Preference;

/** Events tracked while the services' code is loading. */
const pending: SiteEvent[] = [];

/**
 * Starts and stops services according to a choice. Their code loads only when there is one to start. Never rejects:
 * failures are logged as warnings.
 *
 * @returns whether running scripts were stopped, which only a reload guarantees
 */
export async function applyConsent(ids: TagIds, preference: Preference): Promise<boolean> {
  latest = preference;
  disableAnalytics(ids, !preference.analytics);
  if (tags === null && !startsAnything(ids, preference)) return false;
  const page = currentPage();
  try {
    if (tags === null) {
      setReceiver((event) => pending.push(event));
      tags = import("#app/consent/tracking/tags.ts");
    }
    const { applyPreference, sendToServices } = await tags;
    const stopped = applyPreference(ids, latest, page);
    for (const event of pending.splice(0)) sendToServices(event);
    setReceiver(sendToServices);
    return stopped;
  } catch (error) {
    console.warn("Tracking failed", error);
    tags = null;
    return false;
  }
}

/** Google's opt-out flag, which a running script checks before it sends. */
function disableAnalytics({ measurementId }: TagIds, disabled: boolean): void {
  if (measurementId !== undefined) Object.assign(window, { [`ga-disable-${measurementId}`]: disabled });
}

function startsAnything({ measurementId, beaconToken, pixelId }: TagIds, { analytics, marketing }: Preference) {
  return (analytics && Boolean(measurementId ?? beaconToken)) || (marketing && pixelId !== undefined);
}
