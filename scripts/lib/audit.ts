/** What `npm audit --json` found, or that the registry does not answer audits, as mirrors and proxies often do not. */
export type Audit = { kind: "clean" } | { kind: "vulnerable"; packages: string[] } | { kind: "unanswered" };

/** @param output of `npm audit --omit=dev --json` */
export function readAudit(output: string): Audit {
  const { vulnerabilities } = parse(output);
  if (typeof vulnerabilities !== "object" || vulnerabilities === null) return { kind: "unanswered" };
  const packages = Object.keys(vulnerabilities);
  return packages.length === 0 ? { kind: "clean" } : { kind: "vulnerable", packages };
}

function parse(output: string): { vulnerabilities?: unknown } {
  try {
    return JSON.parse(output);
  } catch {
    return {};
  }
}
