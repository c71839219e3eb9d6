import * as v from "valibot";
import { isEmailAddress, normaliseEmail } from "#app/server/email-address.ts";
import { isPublicHost } from "#app/server/http/public-host.server.ts";
import { parseSender } from "#app/server/sender.ts";

/* What the values of variables must be. The messages complete a sentence that begins with the variable. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const hidden = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/;

/** One line or several. */
export const text = v.pipe(
  v.string("must be text"),
  v.trim(),
  v.nonEmpty("must not be blank"),
  v.check((value) => !hidden.test(value), "must not hold characters that cannot be seen"),
);

/** Of another service, which reads it from a header or an attribute. */
export const key = v.pipe(
  text,
  v.regex(/^[!-~]+$/, "must be a key, of ASCII letters, digits and signs without spaces"),
);

/** Whether DNS can have a URL's host, or it is an IP address. `URL` also accepts signs such as `;` and `*`. */
function hasHostName({ hostname }: URL): boolean {
  return /^[a-z\d.-]+$|^\[/.test(hostname);
}

export const origin = v.pipe(
  text,
  v.check((value) => {
    const url = URL.parse(value);
    return url !== null && /^https?:$/.test(url.protocol) && hasHostName(url) && `${url.origin}/` === url.href;
  }, "must be an origin such as https://example.com, with no path"),
  v.transform((value) => new URL(value).origin),
);

export const httpsUrl = v.pipe(
  text,
  v.check((value) => {
    const url = URL.parse(value);
    if (url === null || url.username + url.password !== "") return false;
    // `URL` ignores line breaks and tabs within an address.
    return url.protocol === "https:" && hasHostName(url) && !/\s/.test(value);
  }, "must be an https:// address"),
);

/** Cloudflare passes variables as strings or numbers. */
export const positiveInteger = v.pipe(
  v.union([v.string(), v.number()], "must be a whole number above 0"),
  v.transform(Number),
  v.check((value) => Number.isSafeInteger(value) && value > 0, "must be a whole number above 0"),
);

/** https, or http for a Ghost on the local machine or network. Trailing slashes are removed. */
export const ghostUrl = v.pipe(
  text,
  v.check((value) => {
    const url = URL.parse(value);
    if (url === null || !hasHostName(url) || url.username + url.password + url.search + url.hash !== "") return false;
    return url.protocol === "https:" || (url.protocol === "http:" && !isPublicHost(url));
  }, "must be an https:// address without a query (http:// on a local name or an IP address)"),
  v.transform((value) => new URL(value).href.replace(/\/+$/, "")),
);

export const ghostKey = v.pipe(text, v.regex(/^[\w-]+$/, "must be a Content API key, of letters and digits"));

export const measurementId = v.pipe(
  text,
  v.regex(/^G-[A-Z0-9]{4,20}$/, "must be a measurement id such as G-ABC123DEF4"),
);

export const pixelId = v.pipe(text, v.regex(/^\d{5,20}$/, "must be the digits of a pixel's id"));

export const beaconToken = v.pipe(text, v.regex(/^[A-Za-z0-9]{8,64}$/, "must be a site token of letters and digits"));

export const emailAddress = v.pipe(text, v.check(isEmailAddress, "must be an email address"));

export const sender = v.pipe(
  text,
  v.check(
    (value) => parseSender(value) !== null,
    "must be an email address, or a name and an address such as Ada Maker <hello@example.com>",
  ),
);

export const ownerAddresses = v.pipe(
  text,
  v.transform((value) => value.split(/\s*,\s*/).filter(Boolean)),
  v.check(
    (addresses) => addresses.length > 0 && addresses.every(isEmailAddress),
    ({ input }) => {
      const wrong = input.find((address) => !isEmailAddress(address)) ?? ",";
      return `must be email addresses, separated by commas; "${wrong}" is not one`;
    },
  ),
  v.transform((addresses) => [...new Set(addresses.flatMap((address) => normaliseEmail(address) ?? []))]),
);

/** The owners' addresses in a value of `OWNER_EMAIL`, normalised; none if it is unset or malformed. */
export function readOwnerAddresses(value: string | undefined): string[] {
  const { success, output } = v.safeParse(ownerAddresses, value);
  return success ? output : [];
}

export const timeZone = v.pipe(text, v.check(isTimeZone, "must be a time zone such as Europe/London"));

/** 32 characters hold the 128 bits an HMAC key needs, even in hexadecimal. */
export const secret = v.pipe(text, v.minLength(32, "must have at least 32 characters"));

export const domainList = v.pipe(
  text,
  v.transform((value) => value.toLowerCase().match(/[^\s,]+/g) ?? []),
  v.check(
    (domains) => domains.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)),
    "must be domains such as example.com, separated by commas",
  ),
);

export const onOrOff = v.picklist(["on", "off"], "must be on or off");

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
