/** Names reserved for the local machine or network: RFC 6761, 6762, 8375 and ICANN's .internal. */
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/;

/**
 * Rejects all IP addresses: blogs and their images have names, and this needs no list of private ranges. URL parsing
 * has already normalised notations such as `0x7f.1` and `2130706433` to `127.0.0.1`.
 */
export function isPublicHost({ hostname }: URL): boolean {
  const name = hostname.replace(/\.+$/, "");
  const isIpAddress = name.startsWith("[") || /^[\d.]+$/.test(name);
  return !isIpAddress && name.includes(".") && !LOCAL_NAMES.test(name);
}

/** Whether a URL leads to this machine by a name or an address reserved for that (RFC 6761, RFC 6890). */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Whether the Worker may fetch an untrusted URL: it is public, or on the configured Ghost. */
export function mayFetch(url: URL, ghostOrigin: string | null): boolean {
  if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return false;
  return url.origin === ghostOrigin || isPublicHost(url);
}
