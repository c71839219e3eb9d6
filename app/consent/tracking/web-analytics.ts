import { loadScript, type TagService } from "#app/consent/tracking/tag-service.ts";

/**
 * Cloudflare Web Analytics, which counts page loads and takes no events. It sets no cookies, but it reads data from the
 * visitor's browser and so needs consent.
 * https://developers.cloudflare.com/web-analytics/
 */
export function webAnalytics(token: string): TagService {
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
