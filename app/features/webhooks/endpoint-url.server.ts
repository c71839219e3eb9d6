import { isLoopback, isPublicHost } from "#app/server/http/public-host.server.ts";

/** Characters. */
export const MAX_URL = 1_000;

/** Null if it may be used. @param siteUrl only a site on a loopback address may send events to others, over http too */
export function urlProblem(text: string, siteUrl: string): string | null {
  if (text === "") return "Paste the URL that the other service shows you.";
  if (text.length > MAX_URL) return `Use a URL of at most ${MAX_URL} characters.`;
  const url = URL.parse(text);
  if (url === null) return "This is not a complete URL. It begins with https://.";
  if (url.username !== "" || url.password !== "") return "Leave out the user name and the password.";
  if (/^https?:$/.test(url.protocol) && isLoopback(url) && isLoopback(new URL(siteUrl))) return null;
  if (url.protocol !== "https:")
    return "Use a URL that begins with https://, so that no one on the way can read events.";
  if (!isPublicHost(url)) return "Use a public host name. IP addresses and names of a local network cannot be reached.";
  return null;
}
