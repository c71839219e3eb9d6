interface Attempt {
  reason: string | null;
  last_status?: number | null | undefined;
}

export function reasonText({ reason, last_status }: Attempt): string {
  if (reason !== "status") return texts[reason ?? ""] ?? "No attempt was made";
  return String(last_status).startsWith("3")
    ? `It redirected us (${last_status}). Use the URL that it leads to`
    : `It responded with ${last_status}`;
}

const texts: Record<string, string> = {
  address: "The URL is not a public https address",
  timeout: "It took longer than 15 seconds",
  dns: "Its host name was not found, or its tunnel is down",
  tls: "Its certificate could not be trusted, or it speaks no TLS",
  refused: "It refused or broke the connection",
  unreachable: "It could not be reached. Check its name and its certificate",
  interrupted: "The last attempt was interrupted",
  "too-late": "It accepted nothing for more than three days",
};
