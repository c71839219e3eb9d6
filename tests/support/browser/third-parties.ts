// biome-ignore-all lint/suspicious/noDocumentCookie: the services set theirs in this way too.
import type { BrowserContext, Route } from "@playwright/test";

/** A call that one of the stand-ins received, or a switch that the page set, in the order in which it happened. */
type Call = ["gtag" | "fbq" | "beacon" | "disabled", ...unknown[]];

export interface ThirdParties {
  /** Addresses of every request to another origin, in order. */
  requests: string[];
  calls: Call[];
  /** The calls that one service received. */
  callsOf(service: Call[0]): unknown[][];
}

export const MEASUREMENT_ID = "G-TEST12345";
export const PIXEL_ID = "123456789012345";
export const BEACON_TOKEN = "0123456789abcdef0123456789abcdef";
export const SURVEY_URL = "https://forms.example/s/stalls";
export const SUPPORT_URL = "https://coffee.example/stallwright";

const scripts = {
  gtag: `https://www.googletagmanager.com/gtag/js?id=${MEASUREMENT_ID}`,
  fbq: "https://connect.facebook.net/en_US/fbevents.js",
  beacon: "https://static.cloudflareinsights.com/beacon.min.js",
} as const;

export const scriptAddresses: readonly string[] = Object.values(scripts);

/**
 * Stands between a browser and the rest of the world: every request to another origin is noted and answered here.
 * The services' scripts are stand-ins that note what they are told, set the cookies that the real ones set, and send
 * something for every event, as long as they are allowed to.
 *
 * @param blocked refuses the services' scripts, as an ad blocker does
 */
export async function standInForThirdParties(
  context: BrowserContext,
  siteUrl: string,
  { blocked = false } = {},
): Promise<ThirdParties> {
  const requests: string[] = [];
  const calls: Call[] = [];
  await context.exposeBinding("noteCall", (_source, call: Call) => void calls.push(call));
  await context.addInitScript(watchDisableFlag, `ga-disable-${MEASUREMENT_ID}`);
  await context.route(
    (url) => !isSite(url, siteUrl),
    async (route) => {
      const address = route.request().url();
      requests.push(address);
      if (blocked && scriptAddresses.includes(address)) await route.abort("blockedbyclient");
      else await answer(route, address);
    },
  );
  return {
    requests,
    calls,
    callsOf: (service) => calls.filter(([name]) => name === service).map(([, ...rest]) => rest),
  };
}

/** The site answers to every name that leads to this machine. */
function isSite({ port, hostname }: URL, siteUrl: string): boolean {
  return port === new URL(siteUrl).port && /(^|\.)localhost$/.test(hostname);
}

function answer(route: Route, address: string): Promise<void> {
  const body = Object.entries(standIns).find(([script]) => script === address)?.[1];
  if (body !== undefined) return route.fulfill({ contentType: "text/javascript", body: `(${body})()` });
  const headers = { "Access-Control-Allow-Origin": "*" };
  return route.fulfill({ contentType: "text/html", headers, body: "<!doctype html><title>Elsewhere</title>" });
}

interface StandInWindow extends Window {
  noteCall(call: Call): Promise<void>;
  dataLayer: IArguments[] & { push(command: IArguments): number };
  fbq: { callMethod?: (...command: unknown[]) => void; queue: unknown[][]; disablePushState: boolean };
  [flag: `ga-disable-${string}`]: boolean;
}

const standIns: Record<string, () => void> = {
  [scripts.gtag]: function gtagStandIn() {
    const page = window as unknown as StandInWindow;
    const id = new URL((document.currentScript as HTMLScriptElement).src).searchParams.get("id");
    document.cookie = "_ga=GA1.1.1.1; Path=/; Max-Age=63072000";
    document.cookie = `_ga_${id?.slice(2)}=GS1.1.1; Path=/; Max-Age=63072000`;
    const take = (command: IArguments) => {
      const [name, ...rest] = Array.from(command);
      void page.noteCall(["gtag", name, ...rest.map((part) => (part instanceof Date ? "date" : part))]);
      if (page[`ga-disable-${id}`]) return;
      if (name === "event")
        void fetch(`https://region1.google-analytics.com/g/collect?en=${rest[0]}`, {
          mode: "no-cors",
          keepalive: true,
        });
    };
    const queued = page.dataLayer.splice(0);
    page.dataLayer.push = (command) => {
      take(command);
      return 0;
    };
    for (const command of queued) take(command);
  },
  [scripts.fbq]: function pixelStandIn() {
    const { fbq, noteCall } = window as unknown as StandInWindow;
    document.cookie = "_fbp=fb.1.1.1; Path=/; Max-Age=7776000";
    let granted = false;
    fbq.callMethod = (...command) => {
      void noteCall(["fbq", ...command]);
      if (command[0] === "consent") granted = command[1] === "grant";
      const sends = command[0] === "track" || command[0] === "trackCustom";
      if (granted && sends)
        void fetch(`https://www.facebook.com/tr/?ev=${command[1]}`, { mode: "no-cors", keepalive: true });
    };
    void noteCall(["fbq", "disablePushState", fbq.disablePushState]);
    for (const command of fbq.queue.splice(0)) fbq.callMethod(...command);
  },
  [scripts.beacon]: function beaconStandIn() {
    const { noteCall } = window as unknown as StandInWindow;
    void noteCall(["beacon", JSON.parse((document.currentScript as HTMLScriptElement).dataset["cfBeacon"] ?? "")]);
    void fetch("https://cloudflareinsights.com/cdn-cgi/rum", { mode: "no-cors", method: "POST", keepalive: true });
  },
};

/** Notes when the page sets Google's switch, which otherwise leaves no trace behind a reload. */
function watchDisableFlag(name: string): void {
  let disabled: unknown;
  Object.defineProperty(window, name, {
    get: () => disabled,
    set: (value: unknown) => {
      disabled = value;
      void (window as unknown as StandInWindow).noteCall(["disabled", value]);
    },
  });
}
