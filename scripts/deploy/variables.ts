import type { Config } from "#app/config.server.ts";

interface Variable {
  /** What it is, to be read after "It is". */
  is: string;
  /** What happens without it. Required ones have none. */
  without?: string;
  /** Kept by Cloudflare where nobody can read it again. */
  secret?: true;
}

/** Every variable of the site in the owner's words. */
export const variables: Record<keyof Config, Variable> = {
  SITE_URL: { is: "the address of your site, such as https://example.com" },
  CONTACT_EMAIL: { is: "the address that visitors write to, and where replies to the site's mail go" },
  CONTROLLER_NAME: { is: "who is responsible for visitors' data, as the privacy page names them" },
  CONTROLLER_ADDRESS: { is: "the postal address of whoever is responsible for visitors' data" },
  LINK_SECRET: { is: "what signs the links in mail, 32 characters or more", secret: true },
  LINK_SECRET_PREVIOUS: {
    is: "the LINK_SECRET before this one, whose links still work",
    without: "only links signed with LINK_SECRET work",
    secret: true,
  },
  MAIL_FROM: { is: "the address that mail is sent from", without: "no mail is sent; it waits in the outbox" },
  MAIL_PER_HOUR: { is: "how many mails may leave within an hour", without: "at most 500 mails an hour" },
  OWNER_EMAIL: { is: "your own address", without: "you get no news by mail, and the owner's pages are closed" },
  OWNER_TIME_ZONE: {
    is: "the time zone whose days the owner's pages speak of, such as Europe/London",
    without: "days begin at midnight UTC",
  },
  RESEND_API_KEY: {
    is: "the API key of Resend",
    without: "mail is sent through Cloudflare",
    secret: true,
  },
  RESEND_URL: { is: "a stand-in for Resend's API, for tests", without: "Resend itself is used" },
  TURNSTILE_SITE_KEY: {
    is: "the site key of your Turnstile widget",
    without: "visitors are not asked by Turnstile",
  },
  TURNSTILE_SECRET: {
    is: "the secret key of your Turnstile widget",
    without: "visitors are not asked by Turnstile",
    secret: true,
  },
  TURNSTILE_URL: { is: "a stand-in for Turnstile, for tests", without: "Turnstile itself is used" },
  SURVEY_URL: { is: "the https address of your survey form", without: "the survey page says that it opens soon" },
  SUPPORT_URL: { is: "your buy-me-a-coffee page", without: "that row is left out" },
  FACEBOOK_URL: { is: "your Facebook page", without: "that link is left out" },
  GHOST_URL: { is: "the address of your Ghost blog", without: "three sample posts are shown" },
  GHOST_CONTENT_KEY: { is: "the Content API key of your Ghost", without: "three sample posts are shown" },
  GA_MEASUREMENT_ID: { is: "the id of your Google Analytics 4 stream", without: "Google Analytics is never loaded" },
  META_PIXEL_ID: { is: "the id of your Meta Pixel", without: "the Meta Pixel is never loaded" },
  CF_BEACON_TOKEN: {
    is: "the site token of Cloudflare Web Analytics",
    without: "Cloudflare Web Analytics is never loaded",
  },
  RENDER_CACHE: { is: "whether rendered pages are kept for a minute, on or off", without: "they are kept" },
};

export function isVariable(name: string): name is keyof Config {
  return Object.hasOwn(variables, name);
}

export function isSecret(name: string): boolean {
  return isVariable(name) && variables[name].secret === true;
}
