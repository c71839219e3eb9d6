const advice: [message: RegExp, remedy: string][] = [
  [
    /non-interactive environment|not logged in|CLOUDFLARE_API_TOKEN environment variable/i,
    "Sign in with: npx wrangler login\nOn a machine without a browser, set CLOUDFLARE_API_TOKEN in deploy.env.",
  ],
  [
    /\[code: (10000|9109|10001|9106)\]|authentication error|permission/i,
    `This Cloudflare sign-in lacks a required permission. Sign in again with npx wrangler login, or give the token in
CLOUDFLARE_API_TOKEN the permissions listed in docs/deploying.md.`,
  ],
  [
    /could not find zone|no zone/i,
    "The domain is not in this Cloudflare account. docs/deploying.md explains how to add it.",
  ],
  [/fetch failed|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|did not \w+ within/i, "Check your internet connection."],
];

/** Tells the owner what to do about an error message from Wrangler or Cloudflare. */
export function adviceFor(message: string): string {
  const [, remedy = "Fix the cause, or wait a few minutes if the problem is at Cloudflare."] =
    advice.find(([pattern]) => pattern.test(message)) ?? [];
  return `${remedy} Then run the command again; completed steps are not repeated.`;
}
