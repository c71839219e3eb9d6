/** A size of network that attempts are counted by. A client is an IPv4 address or an IPv6 /64. */
export type Network = "client" | "network56" | "network48";

/**
 * The networks that an IP address belongs to, smallest first. With IPv6 a household or server gets a /64 at least, many
 * connections get a /56, and an organisation gets a /48 (RFC 6177), so one attacker can have many /64 networks.
 *
 * @param ip as `CF-Connecting-IP` gives it; any other text is one client
 */
export function networksOf(ip: string): [["client", string], ...[Network, string][]] {
  const mapped = /^::ffff:([\d.]+)$/i.exec(ip)?.[1];
  if (mapped !== undefined || !ip.includes(":")) return [["client", mapped ?? ip]];
  const [first = "0", second = "0", third = "0", fourth = "0"] = groupsOf(ip);
  const site = `${first}:${second}:${third}`;
  const upperByte = fourth.padStart(4, "0").slice(0, 2);
  return [
    ["client", `${site}:${fourth}::/64`],
    ["network56", `${site}:${upperByte}00::/56`],
    ["network48", `${site}::/48`],
  ];
}

/** The largest network that an IP address is counted with: an IPv6 /48 or an IPv4 /24. */
export function largestNetworkOf(ip: string): string {
  const networks = networksOf(ip);
  const [size, network] = networks.at(-1) ?? networks[0];
  return size === "client" ? network.replace(/\.\d+$/, ".0/24") : network;
}

/** The groups of an IPv6 address, with `::` written out, in lower case and without leading zeros. */
function groupsOf(ip: string): string[] {
  const [head = "", tail] = ip.toLowerCase().split("::");
  const groups = head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").length;
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill("0"), ...(tail?.split(":") ?? [])];
  return all.map((group) => group.replace(/^0+(?=.)/, "") || "0");
}
