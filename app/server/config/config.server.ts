import * as v from "valibot";
import * as values from "#app/server/config/config-values.server.ts";
import { isPublishedSecret, PUBLISHED_SECRET } from "#app/server/config/local-secrets.server.ts";
import { isPublicHost } from "#app/server/http/public-host.server.ts";
import * as switches from "#app/switches.ts";

/** The parsed configuration. Optional values are absent when unset or malformed. */
export type Config = v.InferOutput<typeof configSchema>;

export interface ConfigProblem {
  name: string;
  /** Follows the name in a sentence, such as "is not set". */
  problem: string;
  /** The variable is required, so no request can be served. */
  fatal: boolean;
}

/** `config` is null if a required value is missing or malformed. Malformed optional ones are left out and reported. */
export function parseConfig(vars: object): { config: Config | null; problems: ConfigProblem[] } {
  const given = new Map(Object.entries(vars).filter(([, value]) => value !== undefined && value !== ""));
  const problems: ConfigProblem[] = [];
  const parsed: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(configSchema.entries)) {
    if (unused.has(name)) continue;
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
  if (isPublicSite(parsed["SITE_URL"])) {
    const found = Object.keys(parsed).filter((name) => isPublishedSecret(parsed[name]));
    for (const name of found) {
      delete parsed[name];
      const fatal = configSchema.entries[name as keyof Config].type !== "optional";
      problems.push({ name, problem: PUBLISHED_SECRET, fatal });
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

/** Whether strangers may reach a site: not on one machine or network, nor at a reserved name (RFC 2606). */
function isPublicSite(siteUrl: unknown): boolean {
  const url = typeof siteUrl === "string" ? new URL(siteUrl) : null;
  return url !== null && isPublicHost(url) && !url.hostname.endsWith(".example");
}

/** One line per problem: `SITE_URL: must be …`. */
export function describeProblems(problems: ConfigProblem[]): string {
  return problems.map(({ name, problem }) => `${name}: ${problem}`).join("\n");
}

interface Variable {
  schema: v.GenericSchema<unknown, unknown>;
  /** Completes "It is …" in docs/configuration.md, deploy.env.example and the deploy command. */
  is: string;
  /** The effect of leaving it unset; absent for required variables. */
  unset?: string;
  /** Stored as a Cloudflare secret, which cannot be read back. */
  secret?: true;
  /** Owners can change it on the page for settings, whose value then wins over the variable. */
  onPage?: true;
}

const definitions = {
  SITE_URL: required(values.origin, "the address of your site, such as https://example.com"),
  CONTACT_EMAIL: onPage(required(values.emailAddress, "the contact address")),
  CONTROLLER_NAME: onPage(required(values.text, "the name of the person or company responsible for visitors' data")),
  CONTROLLER_ADDRESS: onPage(required(values.text, "the postal address of that person or company")),
  REPLY_TO: onPage(optional(values.emailAddress, "the Reply-To of every email", "the contact address")),
  MAIL_FROM: optional(
    values.sender,
    "the From address of every email; with a name as in `Ada Maker <hello@example.com>`, otherwise the site's name is shown",
    "emails wait in the outbox",
  ),
  MAIL_PER_HOUR: onPage(optional(values.positiveInteger, "the send limit, in emails an hour", "500")),
  OWNER_EMAIL: optional(
    values.ownerAddresses,
    "your own address, or several separated by commas: each can sign in to the owner's pages and gets notifications",
    "the owner's pages are closed and no notifications are sent",
  ),
  OWNER_TIME_ZONE: onPage(
    optional(values.timeZone, "the time zone of the owner's pages and notifications, such as Europe/London", "UTC"),
  ),
  RESEND_API_KEY: asSecret(optional(values.key, "the API key of Resend", "emails are sent through Cloudflare")),
  RESEND_WEBHOOK_SECRET: asSecret(
    optional(
      v.pipe(
        values.text,
        v.regex(
          /^whsec_(?:[A-Za-z0-9+/]{4}){5,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
          "must be a signing secret such as whsec_…",
        ),
      ),
      "the signing secret of Resend's webhook, which reports bounces and complaints",
      "bounces and complaints are not recorded",
    ),
  ),
  RESEND_URL: optional(values.origin, "another address for Resend's API, for tests", "Resend's own"),
  EXAMPLE_ADDRESSES: optional(
    v.picklist(["send", "refuse"], "must be send or refuse"),
    "whether emails to addresses such as ada@example.com are given to the email provider, for tests: send or refuse",
    "refuse, except for the local simulator",
  ),
  CONFIRM_ADDRESSES: onPage(
    optional(
      values.onOrOff,
      "whether new subscribers must confirm their address before they get any other email: on or off",
      "off",
    ),
  ),
  DISPOSABLE: onPage(
    optional(
      v.picklist(["mark", "refuse"], "must be mark or refuse"),
      "what happens to throwaway addresses: mark or refuse",
      "mark",
    ),
  ),
  DISPOSABLE_ALLOWED: onPage(
    optional(
      values.domainList,
      "domains that are never treated as throwaway, separated by commas",
      "only the built-in exceptions",
    ),
  ),
  TURNSTILE_SITE_KEY: optional(
    values.key,
    "the site key of your Cloudflare Turnstile widget",
    "Turnstile is never loaded",
  ),
  TURNSTILE_SECRET: asSecret(
    optional(values.key, "the secret key of your Turnstile widget", "Turnstile is never loaded"),
  ),
  TURNSTILE_URL: optional(values.origin, "another address for Turnstile's API, for tests", "Turnstile's own"),
  LAUNCH_URL: onPage(
    optional(
      values.httpsUrl,
      "the https address of your product, once it is open: a button to it replaces the sign-up forms",
      "the site collects sign-ups",
    ),
  ),
  SURVEY_URL: onPage(
    optional(values.httpsUrl, "the https address of your survey form", "the survey page says that it opens soon"),
  ),
  SUPPORT_URL: onPage(optional(values.httpsUrl, "your buy-me-a-coffee page", "that row is left out")),
  FACEBOOK_URL: onPage(optional(values.httpsUrl, "your Facebook page", "that link is left out")),
  GHOST_URL: optional(values.ghostUrl, "the address of your Ghost blog", "sample posts are shown"),
  GHOST_CONTENT_KEY: optional(values.ghostKey, "the Content API key of your Ghost blog", "sample posts are shown"),
  GA_MEASUREMENT_ID: optional(
    values.measurementId,
    "the id of your Google Analytics 4 stream, such as G-ABC123DEF4",
    "Google Analytics is never loaded",
  ),
  META_PIXEL_ID: optional(values.pixelId, "the id of your Meta Pixel", "the pixel is never loaded"),
  CF_BEACON_TOKEN: optional(
    values.beaconToken,
    "the site token of Cloudflare Web Analytics",
    "Web Analytics is never loaded",
  ),
  RENDER_CACHE: optional(values.onOrOff, "whether rendered pages are cached for a minute: on or off", "on"),
  WARM_UP: optional(values.onOrOff, "whether the Worker handles sample requests while it starts up: on or off", "on"),
  WORKERS_PLAN: optional(
    v.picklist(["free", "paid"], "must be free or paid"),
    "your Cloudflare Workers plan: free or paid",
    "free",
  ),
  HASH_KEY: asSecret(
    required(values.secret, "the key for address hashes and unsubscribe links, 32 characters or more; never change it"),
  ),
  LINK_SECRET: asSecret(required(values.secret, "the key that signs links in emails, 32 characters or more")),
  LINK_SECRET_PREVIOUS: asSecret(
    optional(values.secret, "the previous LINK_SECRET, whose links still work", "only LINK_SECRET counts"),
  ),
} satisfies Record<string, Variable>;

type Schemas = { [Name in keyof typeof definitions]: (typeof definitions)[Name]["schema"] };

const configSchema = v.object(
  Object.fromEntries(Object.entries(definitions).map(([name, { schema }]) => [name, schema])) as Schemas,
);

/** What is wrong with the product's address, to follow its name. The site serves its whole domain, so it cannot be there. */
export function launchUrlProblem(launchUrl: string, siteUrl: string): string | null {
  const url = URL.parse(launchUrl);
  if (url === null || url.host !== URL.parse(siteUrl)?.host) return null;
  return "is an address of this site itself, so that its button would lead nowhere";
}

export const variables: Record<keyof Config, Variable> = definitions;

const unused = new Set<string>([
  ...(switches.blog ? [] : ["GHOST_URL", "GHOST_CONTENT_KEY"]),
  ...(switches.survey ? [] : ["SURVEY_URL"]),
]);

const pairs = [
  ["GHOST_URL", "GHOST_CONTENT_KEY"],
  ["GHOST_CONTENT_KEY", "GHOST_URL"],
  ["TURNSTILE_SITE_KEY", "TURNSTILE_SECRET"],
  ["TURNSTILE_SECRET", "TURNSTILE_SITE_KEY"],
] as const;

function required<Schema>(schema: Schema, is: string) {
  return { schema, is };
}

function optional<Schema extends v.GenericSchema<unknown, unknown>>(schema: Schema, is: string, unset: string) {
  return { schema: v.optional(schema), is, unset };
}

function onPage<Definition>(definition: Definition) {
  return { ...definition, onPage: true } as const;
}

function asSecret<Definition>(definition: Definition) {
  return { ...definition, secret: true } as const;
}
