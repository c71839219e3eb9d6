import { pageView, type ServiceEvent, visitorAction } from "#app/consent/tracking/events.ts";
import { loadScript, type TagService } from "#app/consent/tracking/tag-service.ts";

declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/**
 * Google Analytics 4 with Consent Mode v2. Only `analytics_storage` is ever granted: the site places no adverts with
 * Google, so visitors are not asked for the other three.
 * https://developers.google.com/tag-platform/security/guides/consent
 */
export function googleAnalytics(measurementId: string): TagService {
  return {
    category: "analytics",
    start() {
      gtag("consent", "default", {
        ad_storage: "denied",
        ad_user_data: "denied",
        ad_personalization: "denied",
        analytics_storage: "denied",
      });
      gtag("consent", "update", { analytics_storage: "granted" });
      gtag("js", new Date());
      gtag("config", measurementId, { send_page_view: false });
      loadScript(`https://www.googletagmanager.com/gtag/js?id=${measurementId}`);
    },
    send(event) {
      const { name, fields }: ServiceEvent = event.kind === "page-viewed" ? pageView(event) : visitorAction(event);
      gtag("event", name, fields);
    },
    stop() {
      gtag("consent", "update", { analytics_storage: "denied" });
    },
  };
}

/** Google's queue recognises commands as `arguments` objects; it would treat an array as data. */
function gtag(..._command: unknown[]): void {
  window.dataLayer ??= [];
  // biome-ignore lint/complexity/noArguments: see above.
  window.dataLayer.push(arguments);
}
