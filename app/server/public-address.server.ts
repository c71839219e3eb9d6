/** Names that lead to this machine or its own network, whoever asks. RFC 6761, 6762, 8375 and ICANN's .internal. */
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/;

/**
 * Whether an address names a host of the public internet.
 *
 * An IP address never does: blogs and their pictures have names, and what is no number cannot be a private one in a
 * notation that a list forgot. URLs come with numbers normalised: `0x7f.1` and `2130706433` are `127.0.0.1` by now.
 */
export function isPublicHost({ hostname }: URL): boolean {
  const name = hostname.replace(/\.$/, "");
  const isNumber = name.startsWith("[") || /^[\d.]+$/.test(name);
  return !isNumber && name.includes(".") && !LOCAL_NAMES.test(name);
}

/** Whether the Worker may fetch from an address that somebody else wrote: public, or on the configured Ghost. */
export function mayFetch(url: URL, ghostOrigin: string): boolean {
  if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return false;
  return url.origin === ghostOrigin || isPublicHost(url);
}
