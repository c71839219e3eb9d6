const again = "Then run the command again; what has been done already stays and is not done twice.";

const advice: [said: RegExp, todo: string][] = [
  [
    /non-interactive environment|not logged in|CLOUDFLARE_API_TOKEN environment variable/i,
    `Sign in with: npx wrangler login\nOn a machine without a browser, set CLOUDFLARE_API_TOKEN in deploy.env. ${again}`,
  ],
  [
    /more than one account|multiple accounts/i,
    `Say which account is meant: CLOUDFLARE_ACCOUNT_ID in deploy.env. ${again}`,
  ],
  [
    /\[code: (10000|9109|10001|9106)\]|authentication error|permission/i,
    `Cloudflare does not let this sign-in do that. Sign in again with npx wrangler login, or give the token in
CLOUDFLARE_API_TOKEN the permissions that docs/deploying.md lists. ${again}`,
  ],
  [
    /could not find zone|no zone/i,
    `The domain of SITE_URL is not in this Cloudflare account yet; docs/deploying.md says how to add it. ${again}`,
  ],
  [
    /fetch failed|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|did not \w+ within/i,
    `Check the connection to the internet. ${again}`,
  ],
];

/** What to do about something that Wrangler or Cloudflare said, in the owner's words. */
export function adviceFor(said: string): string {
  const [, todo] = advice.find(([pattern]) => pattern.test(said)) ?? [];
  return todo ?? `Mend the cause, or wait a few minutes where it was Cloudflare's. ${again}`;
}
