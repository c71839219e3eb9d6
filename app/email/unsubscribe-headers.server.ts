/** The headers by which email clients offer to unsubscribe with one click (RFC 8058). */
export function unsubscribeHeaders(oneClickUrl: string): Record<string, string> {
  // RFC 8058 requires https, and Cloudflare rejects emails that use another scheme.
  if (!oneClickUrl.startsWith("https:")) return {};
  return { "List-Unsubscribe": `<${oneClickUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}
