import { type Message, pageView, visitorAction } from "#app/consent/tracking/events.ts";
import { loadScript, type TagService } from "#app/consent/tracking/tag-service.ts";

declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/**
 * Google Analytics 4 with Consent Mode v2. Only storage for analytics is ever granted: we place no adverts with
 * Google, so that visitors are never asked for the other three, and they stay denied.
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
      const { name, fields }: Message = event.kind === "page-viewed" ? pageView(event) : visitorAction(event);
      gtag("event", name, fields);
    },
    stop() {
      gtag("consent", "update", { analytics_storage: "denied" });
    },
  };
}

/** Google's queue knows a command by its being an `arguments` object; an array would be taken for data. */
function gtag(..._command: unknown[]): void {
  window.dataLayer ??= [];
  // biome-ignore lint/complexity/noArguments: see above.
  window.dataLayer.push(arguments);
}
