import { campaignView, visitorAction } from "#app/consent/tracking/events.ts";
import { loadScript, type TagService, warnOnError } from "#app/consent/tracking/tag-service.ts";

/** Meta's global function: it queues commands until the script has loaded and set `callMethod`. */
interface Fbq {
  (...command: unknown[]): void;
  callMethod?: (...command: unknown[]) => void;
  queue: unknown[][];
  push: Fbq;
  loaded: boolean;
  version: string;
  disablePushState: boolean;
}

declare global {
  interface Window {
    fbq?: Fbq;
    _fbq?: Fbq;
  }
}

/**
 * The Meta Pixel. Its automatic page views on history changes and its automatic button events are disabled.
 * https://developers.facebook.com/docs/meta-pixel/advanced
 */
export function metaPixel(pixelId: string): TagService {
  let hasSentCampaign = false;
  return {
    category: "marketing",
    start() {
      fbq("consent", "grant");
      fbq("set", "autoConfig", false, pixelId);
      fbq("init", pixelId);
      loadScript("https://connect.facebook.net/en_US/fbevents.js");
    },
    send(event) {
      if (event.kind !== "page-viewed") {
        const { name, fields } = visitorAction(event);
        fbq("trackCustom", name, fields);
        return;
      }
      fbq("track", "PageView");
      warnOnError("Campaign tracking error", () => {
        // Once for each page load: later views of the landing page are returns within the same visit.
        const campaign = hasSentCampaign ? null : campaignView(event);
        if (campaign === null) return;
        hasSentCampaign = true;
        fbq("track", campaign.name, campaign.fields);
      });
    },
    stop() {
      fbq("consent", "revoke");
    },
  };
}

function fbq(...command: unknown[]): void {
  window.fbq ??= createQueue();
  window.fbq(...command);
}

/** Meta's snippet in readable form. */
function createQueue(): Fbq {
  const queue: unknown[][] = [];
  const fbq: Fbq = Object.assign(
    (...command: unknown[]) => {
      if (fbq.callMethod) fbq.callMethod(...command);
      else queue.push(command);
    },
    { queue, loaded: true, version: "2.0", disablePushState: true },
  ) as Fbq;
  fbq.push = fbq;
  window._fbq ??= fbq;
  return fbq;
}
