/**
 * Secrets for sites that only their own machine reaches. Anyone can read them here and in .dev.vars.example, so that a site
 * with a public address refuses them.
 */
export const localSecrets = {
  HASH_KEY: "for-local-use-only-hash-key-0123456789",
  LINK_SECRET: "for-local-use-only-0123456789abcdef",
};

/** Completes a sentence that begins with the variable. */
export const PUBLISHED_SECRET =
  "has a value that is published with this site's code, so that anyone could sign with it; replace it with your own, such as the output of openssl rand -hex 32";

export function isPublishedSecret(secret: unknown): boolean {
  return Object.values(localSecrets).some((published) => published === secret);
}
