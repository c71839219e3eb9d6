import { expireCookies } from "#app/consent/expire-cookies.ts";
import { type Preference, preferenceFrom, readPreference } from "#app/consent/preference-cookie.ts";
import { googleAnalytics } from "#app/consent/tracking/google-analytics.ts";
import { metaPixel } from "#app/consent/tracking/meta-pixel.ts";
import type { TagIds } from "#app/consent/tracking/tag-ids.ts";
import { loadScript, type TagService, warnOnError } from "#app/consent/tracking/tag-service.ts";
import type { PageView, SiteEvent } from "#app/consent/tracking/track.ts";

/** The services started on this page, even if their scripts are still loading. */
const running = new Map<keyof TagIds, TagService>();

/**
 * Starts the services that a choice allows and stops the others. Each starts once, with a view of the current page.
 *
 * @returns whether a running service was stopped, which only a reload guarantees
 */
export function applyPreference(ids: TagIds, preference: Preference, page: PageView | null): boolean {
  for (const [id, service] of configured(ids)) {
    if (!preference[service.category] || running.has(id)) continue;
    running.set(id, service);
    warnOnError(FAILED, () => service.start());
    if (page !== null) warnOnError(FAILED, () => service.send(page));
  }
  const stopped = Array.from(running.values()).filter(({ category }) => !preference[category]);
  for (const service of stopped) warnOnError(FAILED, () => service.stop());
  for (const cookie of expireCookies(document.cookie, location.hostname, preference)) setCookie(cookie);
  return stopped.length > 0;
}

export function sendToServices(event: SiteEvent): void {
  for (const service of running.values()) warnOnError(FAILED, () => service.send(event));
}

const FAILED = "Tracking failed";

function configured({ measurementId, beaconToken, pixelId }: TagIds): [keyof TagIds, TagService][] {
  const services: [keyof TagIds, TagService][] = [];
  if (measurementId !== undefined) services.push(["measurementId", googleAnalytics(measurementId)]);
  if (beaconToken !== undefined) services.push(["beaconToken", webAnalytics(beaconToken)]);
  if (pixelId !== undefined) services.push(["pixelId", metaPixel(pixelId)]);
  return services;
}

/**
 * Cloudflare Web Analytics, which counts page loads and takes no events. It sets no cookies, but it reads data from the
 * visitor's browser and so needs consent.
 * https://developers.cloudflare.com/web-analytics/
 */
function webAnalytics(token: string): TagService {
  return {
    category: "analytics",
    start() {
      const cfBeacon = JSON.stringify({ token, spa: false });
      loadScript("https://static.cloudflareinsights.com/beacon.min.js", { cfBeacon });
    },
    send() {},
    stop() {},
  };
}

function setCookie(text: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that visitors use.
  document.cookie = text;
}

/** Applies consent withdrawn in another tab when this one is shown again or restored from the back/forward cache. */
function reloadWhenWithdrawn(): void {
  if (document.visibilityState === "hidden") return;
  const saved = preferenceFrom(readPreference(document.cookie));
  if (saved === null) return;
  if (Array.from(running.values()).some(({ category }) => !saved[category])) location.reload();
}

document.addEventListener("visibilitychange", reloadWhenWithdrawn);
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) reloadWhenWithdrawn();
});
