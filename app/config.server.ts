import * as v from "valibot";
import { isPublicHost } from "#app/blog/public-address.server.ts";
import { isEmailAddress } from "#app/waitlist/address.ts";

/** Everything the owner can configure, parsed. Absent means: not set, or malformed and therefore off. */
export type Config = v.InferOutput<typeof configSchema>;

export interface ConfigProblem {
  /** The variable's name, as the owner writes it. */
  name: string;
  /** What is wrong with it, to be read after the name. */
  problem: string;
  /** A required value: no request can be answered without it. */
  fatal: boolean;
}

/**
 * Parses the Worker's variables.
 *
 * Pure: the Worker, `npm start` and the tests call it with what they have. A malformed optional value is left out
 * and reported; a missing or malformed required one makes `config` null.
 *
 * @param vars bindings and variables by name; names it does not know are ignored
 */
export function parseConfig(vars: object): { config: Config | null; problems: ConfigProblem[] } {
  const given = new Map(Object.entries(vars).filter(([, value]) => value !== undefined && value !== ""));
  const problems: ConfigProblem[] = [];
  const parsed: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(configSchema.entries)) {
    const value = given.get(name);
    const optional = schema.type === "optional";
    if (value === undefined && optional) continue;
    const result = v.safeParse(schema, value);
    if (result.success) parsed[name] = result.output;
    else {
      const problem = value === undefined ? "is not set" : result.issues[0].message;
      problems.push({ name, problem, fatal: !optional });
    }
  }
  for (const [name, partner] of partners) {
    if (!(name in parsed) || partner in parsed) continue;
    delete parsed[name];
    if (!given.has(partner)) problems.push({ name: partner, problem: `must be set with ${name}`, fatal: false });
  }
  const usable = !problems.some((problem) => problem.fatal);
  return { config: usable ? v.parse(configSchema, parsed) : null, problems };
}

/** `SITE_URL: must be …`, one line a problem. */
export function describeProblems(problems: ConfigProblem[]): string {
  return problems.map(({ name, problem }) => `${name}: ${problem}`).join("\n");
}

const text = v.pipe(v.string("must be text"), v.trim(), v.nonEmpty("must not be blank"));

const origin = v.pipe(
  text,
  v.check((value) => {
    const url = URL.parse(value);
    return url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  }, "must be an origin such as https://example.com, with no path"),
  v.transform((value) => new URL(value).origin),
);

const httpsUrl = v.pipe(
  text,
  v.check((value) => URL.parse(value)?.protocol === "https:", "must be an https:// address"),
);

/** The platform hands variables over as text or as numbers. */
const positiveInteger = v.pipe(
  v.union([v.string(), v.number()], "must be a whole number above 0"),
  v.transform(Number),
  v.check((value) => Number.isSafeInteger(value) && value > 0, "must be a whole number above 0"),
);

/** https, or http to a Ghost that runs on one's own machine or network. Without the slash at the end. */
const ghostUrl = v.pipe(
  text,
  v.check((value) => {
    const url = URL.parse(value);
    if (url === null || url.username + url.password + url.search + url.hash !== "") return false;
    return url.protocol === "https:" || (url.protocol === "http:" && !isPublicHost(url));
  }, "must be an https:// address without a query (http:// on a local name or an IP address)"),
  v.transform((value) => new URL(value).href.replace(/\/+$/, "")),
);

const ghostKey = v.pipe(text, v.regex(/^[\w-]+$/, "must be a Content API key, of letters and digits"));

const measurementId = v.pipe(text, v.regex(/^G-[A-Z0-9]{4,20}$/, "must be a measurement id such as G-ABC123DEF4"));

const pixelId = v.pipe(text, v.regex(/^\d{5,20}$/, "must be the digits of a pixel's id"));

const beaconToken = v.pipe(text, v.regex(/^[A-Za-z0-9]{8,64}$/, "must be a site token of letters and digits"));

const emailAddress = v.pipe(text, v.check(isEmailAddress, "must be an e-mail address"));

const timeZone = v.pipe(text, v.check(isTimeZone, "must be a time zone such as Europe/London"));

/** 32 characters hold the 128 bits that an HMAC key needs even where they are hexadecimal. */
const secret = v.pipe(text, v.minLength(32, "must have at least 32 characters"));

const onOrOff = v.picklist(["on", "off"], "must be on or off");

const configSchema = v.object({
  /** Canonical origin, without a trailing slash: links in mail, canonical links, redirects. */
  SITE_URL: origin,
  /** Shown in the footer and the policies, and the `Reply-To` of every mail. */
  CONTACT_EMAIL: emailAddress,
  /** Who is responsible for visitors' data, as the privacy page names them. */
  CONTROLLER_NAME: text,
  CONTROLLER_ADDRESS: text,
  /** Signs the links in mail. The previous one still verifies, so that links outlive a rotation. */
  LINK_SECRET: secret,
  LINK_SECRET_PREVIOUS: v.optional(secret),
  /** Sender of mail. Without it mail waits in the outbox. */
  MAIL_FROM: v.optional(emailAddress),
  /** Mails that the whole site may send within an hour; the others wait. */
  MAIL_PER_HOUR: v.optional(positiveInteger),
  /** Who may see the owner's pages, and gets the news. */
  OWNER_EMAIL: v.optional(emailAddress),
  /** The zone whose days and hours the owner's pages and mails speak of. */
  OWNER_TIME_ZONE: v.optional(timeZone),
  /** Sends mail through Resend instead of the `EMAIL` binding; the URL names a stand-in for its API. */
  RESEND_API_KEY: v.optional(text),
  RESEND_URL: v.optional(origin),
  /** Cloudflare Turnstile, both or neither; the URL names a stand-in for its service. */
  TURNSTILE_SITE_KEY: v.optional(text),
  TURNSTILE_SECRET: v.optional(text),
  TURNSTILE_URL: v.optional(origin),
  /** The survey form framed on /survey. */
  SURVEY_URL: v.optional(httpsUrl),
  /** Buy-a-coffee page. */
  SUPPORT_URL: v.optional(httpsUrl),
  FACEBOOK_URL: v.optional(httpsUrl),
  /** Address of the Ghost whose posts are shown, and the key of its Content API, which is public by design. */
  GHOST_URL: v.optional(ghostUrl),
  GHOST_CONTENT_KEY: v.optional(ghostKey),
  /** Google Analytics 4, the Meta Pixel and Cloudflare Web Analytics: loaded after consent, and only when set. */
  GA_MEASUREMENT_ID: v.optional(measurementId),
  META_PIXEL_ID: v.optional(pixelId),
  CF_BEACON_TOKEN: v.optional(beaconToken),
  /** "off" renders every page anew: for measuring, and for looking for mistakes. */
  RENDER_CACHE: v.optional(onOrOff),
});

/** Variables that mean nothing without another one. */
const partners = [
  ["GHOST_URL", "GHOST_CONTENT_KEY"],
  ["GHOST_CONTENT_KEY", "GHOST_URL"],
  ["TURNSTILE_SITE_KEY", "TURNSTILE_SECRET"],
  ["TURNSTILE_SECRET", "TURNSTILE_SITE_KEY"],
] as const;

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
