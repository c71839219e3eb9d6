import * as v from "valibot";
import { isEmailAddress, normaliseEmail } from "#app/server/email-address.ts";
import { isPublicHost } from "#app/server/public-address.server.ts";

/** The parsed configuration. Optional values are absent when unset or malformed. */
export type Config = v.InferOutput<typeof configSchema>;

export interface ConfigProblem {
  name: string;
  /** Follows the name in a sentence, such as "is not set". */
  problem: string;
  /** The variable is required, so no request can be served. */
  fatal: boolean;
}

/**
 * Parses the Worker's variables.
 *
 * Omits and reports a malformed optional value; `config` is null if a required one is missing or malformed.
 *
 * @param vars bindings and variables by name; unknown names are ignored
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
  for (const [name, partner] of pairs) {
    if (!(name in parsed) || partner in parsed) continue;
    delete parsed[name];
    if (!given.has(partner))
      problems.push({ name: partner, problem: `must be set together with ${name}`, fatal: false });
  }
  const usable = !problems.some((problem) => problem.fatal);
  return { config: usable ? (parsed as Config) : null, problems };
}

/** One line per problem: `SITE_URL: must be …`. */
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

/** Cloudflare passes variables as strings or numbers. */
const positiveInteger = v.pipe(
  v.union([v.string(), v.number()], "must be a whole number above 0"),
  v.transform(Number),
  v.check((value) => Number.isSafeInteger(value) && value > 0, "must be a whole number above 0"),
);

/** https, or http for a Ghost on the local machine or network. Trailing slashes are removed. */
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

const emailAddress = v.pipe(text, v.check(isEmailAddress, "must be an email address"));

const ownerAddresses = v.pipe(
  text,
  v.transform((value) =>
    value
      .split(",")
      .map((address) => address.trim())
      .filter(Boolean),
  ),
  v.check(
    (addresses) => addresses.length > 0 && addresses.every(isEmailAddress),
    ({ input }) => `must be email addresses, separated by commas; "${input.find(isNoAddress) ?? ","}" is not one`,
  ),
  v.transform((addresses) => [...new Set(addresses.flatMap((address) => normaliseEmail(address) ?? []))]),
);

/** The owners' addresses in a value of `OWNER_EMAIL`, normalised; none if it is unset or malformed. */
export function readOwnerAddresses(value: string | undefined): string[] {
  const { success, output } = v.safeParse(ownerAddresses, value);
  return success ? output : [];
}

/** The domains in `DISPOSABLE_ALLOWED`, for the owner's commands. Empty if the value is missing or malformed. */
export function readAllowedDomains(value: string | undefined): string[] {
  const { success, output } = v.safeParse(domainList, value);
  return success ? output : [];
}

function isNoAddress(value: string): boolean {
  return !isEmailAddress(value);
}

const timeZone = v.pipe(text, v.check(isTimeZone, "must be a time zone such as Europe/London"));

/** 32 characters hold the 128 bits an HMAC key needs, even in hexadecimal. */
const secret = v.pipe(text, v.minLength(32, "must have at least 32 characters"));

const domainList = v.pipe(
  text,
  v.transform((value) =>
    value
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  ),
  v.check(
    (domains) => domains.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)),
    "must be domains such as example.com, separated by commas",
  ),
);

const onOrOff = v.picklist(["on", "off"], "must be on or off");

interface Variable {
  schema: v.GenericSchema<unknown, unknown>;
  /** Completes "It is …" in the README, deploy.env.example and the deploy command. */
  is: string;
  /** The effect of leaving it unset; absent for required variables. */
  unset?: string;
  /** Stored as a Cloudflare secret, which cannot be read back. */
  secret?: true;
}

const definitions = {
  SITE_URL: { schema: origin, is: "the address of your site, such as https://example.com" },
  CONTACT_EMAIL: { schema: emailAddress, is: "the contact address, and the Reply-To of every email" },
  CONTROLLER_NAME: { schema: text, is: "the name of the person or company responsible for visitors' data" },
  CONTROLLER_ADDRESS: { schema: text, is: "the postal address of that person or company" },
  MAIL_FROM: {
    schema: v.optional(emailAddress),
    is: "the From address of every email",
    unset: "emails wait in the outbox",
  },
  MAIL_PER_HOUR: {
    schema: v.optional(positiveInteger),
    is: "the send limit, in emails an hour",
    unset: "500",
  },
  OWNER_EMAIL: {
    schema: v.optional(ownerAddresses),
    is: "your own address, or several separated by commas: each can sign in to the owner's pages and gets notifications",
    unset: "the owner's pages are closed and no notifications are sent",
  },
  OWNER_TIME_ZONE: {
    schema: v.optional(timeZone),
    is: "the time zone of the owner's pages and notifications, such as Europe/London",
    unset: "UTC",
  },
  RESEND_API_KEY: {
    schema: v.optional(text),
    is: "the API key of Resend",
    unset: "emails are sent through Cloudflare",
    secret: true,
  },
  RESEND_WEBHOOK_SECRET: {
    schema: v.optional(
      v.pipe(text, v.regex(/^whsec_[A-Za-z0-9+/=]{20,}$/, "must be a signing secret such as whsec_…")),
    ),
    is: "the signing secret of Resend's webhook, which reports bounces and complaints",
    unset: "bounces and complaints are not recorded",
    secret: true,
  },
  RESEND_URL: { schema: v.optional(origin), is: "another address for Resend's API, for tests", unset: "Resend's own" },
  CONFIRM_ADDRESSES: {
    schema: v.optional(onOrOff),
    is: "whether new subscribers must confirm their address before they get any other email: on or off",
    unset: "off",
  },
  DISPOSABLE: {
    schema: v.optional(v.picklist(["mark", "refuse"], "must be mark or refuse")),
    is: "what happens to throwaway addresses: mark or refuse",
    unset: "mark",
  },
  DISPOSABLE_ALLOWED: {
    schema: v.optional(domainList),
    is: "domains that are never treated as throwaway, separated by commas",
    unset: "only the built-in exceptions",
  },
  TURNSTILE_SITE_KEY: {
    schema: v.optional(text),
    is: "the site key of your Cloudflare Turnstile widget",
    unset: "Turnstile is never loaded",
  },
  TURNSTILE_SECRET: {
    schema: v.optional(text),
    is: "the secret key of your Turnstile widget",
    unset: "Turnstile is never loaded",
    secret: true,
  },
  TURNSTILE_URL: {
    schema: v.optional(origin),
    is: "another address for Turnstile's API, for tests",
    unset: "Turnstile's own",
  },
  LAUNCH_URL: {
    schema: v.optional(httpsUrl),
    is: "the https address of your product, once it is open: a button to it replaces the sign-up forms",
    unset: "the site collects sign-ups",
  },
  SURVEY_URL: {
    schema: v.optional(httpsUrl),
    is: "the https address of your survey form",
    unset: "the survey page says that it opens soon",
  },
  SUPPORT_URL: { schema: v.optional(httpsUrl), is: "your buy-me-a-coffee page", unset: "that row is left out" },
  FACEBOOK_URL: { schema: v.optional(httpsUrl), is: "your Facebook page", unset: "that link is left out" },
  GHOST_URL: { schema: v.optional(ghostUrl), is: "the address of your Ghost blog", unset: "sample posts are shown" },
  GHOST_CONTENT_KEY: {
    schema: v.optional(ghostKey),
    is: "the Content API key of your Ghost blog",
    unset: "sample posts are shown",
  },
  GA_MEASUREMENT_ID: {
    schema: v.optional(measurementId),
    is: "the id of your Google Analytics 4 stream, such as G-ABC123DEF4",
    unset: "Google Analytics is never loaded",
  },
  META_PIXEL_ID: { schema: v.optional(pixelId), is: "the id of your Meta Pixel", unset: "the pixel is never loaded" },
  CF_BEACON_TOKEN: {
    schema: v.optional(beaconToken),
    is: "the site token of Cloudflare Web Analytics",
    unset: "Web Analytics is never loaded",
  },
  RENDER_CACHE: {
    schema: v.optional(onOrOff),
    is: "whether rendered pages are cached for a minute: on or off",
    unset: "on",
  },
  WORKERS_PLAN: {
    schema: v.optional(v.picklist(["free", "paid"], "must be free or paid")),
    is: "your Cloudflare Workers plan: free or paid",
    unset: "free",
  },
  HASH_KEY: {
    schema: secret,
    is: "the key for address hashes and unsubscribe links, 32 characters or more; never change it",
    secret: true,
  },
  LINK_SECRET: { schema: secret, is: "the key that signs links in emails, 32 characters or more", secret: true },
  LINK_SECRET_PREVIOUS: {
    schema: v.optional(secret),
    is: "the previous LINK_SECRET, whose links still work",
    unset: "only LINK_SECRET counts",
    secret: true,
  },
} satisfies Record<string, Variable>;

type Schemas = { [Name in keyof typeof definitions]: (typeof definitions)[Name]["schema"] };

const configSchema = v.object(
  Object.fromEntries(Object.entries(definitions).map(([name, { schema }]) => [name, schema])) as Schemas,
);

/** Every variable the owner can set, in display order. */
export const variables: Record<keyof Config, Variable> = definitions;

/** Variables that only work together, in both directions. */
const pairs = [
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
