// biome-ignore-all lint/suspicious/noDocumentCookie: the real services set cookies this way too.
import type { BrowserContext, Route } from "@playwright/test";

/** A call that a fake service received, or Google's opt-out flag (`disabled`) being set. */
type Call = ["gtag" | "fbq" | "beacon" | "disabled", ...unknown[]];

export interface ThirdParties {
  /** URLs of all requests to other origins, in order. */
  requests: string[];
  calls: Call[];
  callsOf(service: Call[0]): unknown[][];
}

export const MEASUREMENT_ID = "G-TEST12345";
export const PIXEL_ID = "123456789012345";
export const BEACON_TOKEN = "0123456789abcdef0123456789abcdef";
export const SURVEY_URL = "https://forms.example/s/stalls";
export const SUPPORT_URL = "https://coffee.example/waitlist-site";

const scripts = {
  gtag: `https://www.googletagmanager.com/gtag/js?id=${MEASUREMENT_ID}`,
  fbq: "https://connect.facebook.net/en_US/fbevents.js",
  beacon: "https://static.cloudflareinsights.com/beacon.min.js",
} as const;

export const scriptUrls: readonly string[] = Object.values(scripts);

/**
 * Intercepts and records every request to another origin. The services' scripts are fakes that record their calls, set
 * the same cookies as the real ones, and send a request per event if consent allows it.
 *
 * @param blocked aborts requests for the services' scripts, as an ad blocker does
 */
export async function fakeThirdParties(
  context: BrowserContext,
  siteUrl: string,
  { blocked = false } = {},
): Promise<ThirdParties> {
  const requests: string[] = [];
  const calls: Call[] = [];
  await context.exposeBinding("recordCall", (_source, call: Call) => void calls.push(call));
  await context.addInitScript(watchDisableFlag, `ga-disable-${MEASUREMENT_ID}`);
  await context.route(
    (url) => !isSite(url, siteUrl),
    async (route) => {
      const url = route.request().url();
      requests.push(url);
      if (blocked && scriptUrls.includes(url)) await route.abort("blockedbyclient");
      else await respond(route, url);
    },
  );
  return {
    requests,
    calls,
    callsOf: (service) => calls.filter(([name]) => name === service).map(([, ...rest]) => rest),
  };
}

/** Any name under localhost reaches the site. */
function isSite({ port, hostname }: URL, siteUrl: string): boolean {
  return port === new URL(siteUrl).port && /(^|\.)localhost$/.test(hostname);
}

function respond(route: Route, url: string): Promise<void> {
  const body = Object.entries(fakeScripts).find(([script]) => script === url)?.[1];
  if (body !== undefined) return route.fulfill({ contentType: "text/javascript", body: `(${body})()` });
  const headers = { "Access-Control-Allow-Origin": "*" };
  return route.fulfill({ contentType: "text/html", headers, body: "<!doctype html><title>Elsewhere</title>" });
}

interface FakeWindow extends Window {
  recordCall(call: Call): Promise<void>;
  dataLayer: IArguments[] & { push(command: IArguments): number };
  fbq: { callMethod?: (...command: unknown[]) => void; queue: unknown[][]; disablePushState: boolean };
  [flag: `ga-disable-${string}`]: boolean;
}

const fakeScripts: Record<string, () => void> = {
  [scripts.gtag]: function fakeGtag() {
    const page = window as unknown as FakeWindow;
    const id = new URL((document.currentScript as HTMLScriptElement).src).searchParams.get("id");
    document.cookie = "_ga=GA1.1.1.1; Path=/; Max-Age=63072000";
    document.cookie = `_ga_${id?.slice(2)}=GS1.1.1; Path=/; Max-Age=63072000`;
    const handle = (command: IArguments) => {
      const [name, ...rest] = Array.from(command);
      void page.recordCall(["gtag", name, ...rest.map((part) => (part instanceof Date ? "date" : part))]);
      if (page[`ga-disable-${id}`]) return;
      if (name === "event")
        void fetch(`https://region1.google-analytics.com/g/collect?en=${rest[0]}`, {
          mode: "no-cors",
          keepalive: true,
        });
    };
    const queued = page.dataLayer.splice(0);
    page.dataLayer.push = (command) => {
      handle(command);
      return 0;
    };
    for (const command of queued) handle(command);
  },
  [scripts.fbq]: function fakePixel() {
    const { fbq, recordCall } = window as unknown as FakeWindow;
    document.cookie = "_fbp=fb.1.1.1; Path=/; Max-Age=7776000";
    let granted = false;
    fbq.callMethod = (...command) => {
      void recordCall(["fbq", ...command]);
      if (command[0] === "consent") granted = command[1] === "grant";
      const sends = command[0] === "track" || command[0] === "trackCustom";
      if (granted && sends)
        void fetch(`https://www.facebook.com/tr/?ev=${command[1]}`, { mode: "no-cors", keepalive: true });
    };
    void recordCall(["fbq", "disablePushState", fbq.disablePushState]);
    for (const command of fbq.queue.splice(0)) fbq.callMethod(...command);
  },
  [scripts.beacon]: function fakeBeacon() {
    const { recordCall } = window as unknown as FakeWindow;
    void recordCall(["beacon", JSON.parse((document.currentScript as HTMLScriptElement).dataset["cfBeacon"] ?? "")]);
    void fetch("https://cloudflareinsights.com/cdn-cgi/rum", { mode: "no-cors", method: "POST", keepalive: true });
  },
};

/** Records when the page sets Google's opt-out flag, which a reload would erase. */
function watchDisableFlag(name: string): void {
  let disabled: unknown;
  Object.defineProperty(window, name, {
    get: () => disabled,
    set: (value: unknown) => {
      disabled = value;
      void (window as unknown as FakeWindow).recordCall(["disabled", value]);
    },
  });
}
