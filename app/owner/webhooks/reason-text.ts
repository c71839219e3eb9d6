/** Why an attempt failed, in words. */
export function reasonText(reason: string | null): string {
  const status = /^status-(\d+)$/.exec(reason ?? "")?.[1];
  if (status === undefined) return texts[reason ?? ""] ?? "No attempt was made";
  return status.startsWith("3")
    ? `It redirected us (${status}). Use the URL that it leads to`
    : `It responded with ${status}`;
}

const texts: Record<string, string> = {
  address: "The URL is not a public https address",
  timeout: "It took longer than 15 seconds",
  unreachable: "It could not be reached",
  interrupted: "The last attempt was interrupted",
  "too-late": "It could not be reached for more than three days",
};
