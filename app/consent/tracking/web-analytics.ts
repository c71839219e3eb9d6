import { loadScript, type TagService } from "#app/consent/tracking/tag-service.ts";

/**
 * Cloudflare Web Analytics, which counts the pages that are loaded and takes no events. It sets no cookie, but it is
 * asked for all the same, as it looks at the visitor's browser.
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
