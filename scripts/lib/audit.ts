/** The result of `npm audit --json`. Mirrors and proxies of the registry often do not support audits. */
export type Audit = { kind: "clean" } | { kind: "vulnerable"; packages: string[] } | { kind: "unavailable" };

/** @param output of `npm audit --omit=dev --json` */
export function readAudit(output: string): Audit {
  const { vulnerabilities } = parse(output);
  if (typeof vulnerabilities !== "object" || vulnerabilities === null) return { kind: "unavailable" };
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
