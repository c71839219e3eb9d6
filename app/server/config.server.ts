import * as v from "valibot";
import {
  beaconToken,
  domainList,
  emailAddress,
  ghostKey,
  ghostUrl,
  httpsUrl,
  measurementId,
  onOrOff,
  origin,
  ownerAddresses,
  pixelId,
  positiveInteger,
  secret,
  text,
  timeZone,
} from "#app/server/config-values.server.ts";

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
