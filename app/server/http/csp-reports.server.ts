import * as v from "valibot";
import { redactToken } from "#app/server/http/token-path.ts";
import { redactAddresses } from "#app/server/log.ts";

/** Browsers batch a few reports per request; more than this is abuse. */
const MAX_REPORTS_PER_REQUEST = 10;

/**
 * The CSP violations that a browser reports, without personal data: of pages and scripts only the path. The body has type
 * `application/csp-report` (https://www.w3.org/TR/CSP3/#deprecated-serialize-violation) or `application/reports+json`
 * (https://www.w3.org/TR/reporting-1/#serialize-reports). Malformed reports are skipped.
 */
export function parseCspReports(body: unknown) {
  const reports = (Array.isArray(body) ? body : [body]).slice(0, MAX_REPORTS_PER_REQUEST);
  return reports.flatMap((report) => {
    const result = v.safeParse(reportSchema, report);
    return result.success ? [result.output] : [];
  });
}

const text = v.nullish(v.string(), "");
const line = v.nullish(v.number(), 0);

const legacyReport = v.pipe(
  v.object({
    "csp-report": v.object({
      "effective-directive": text,
      "violated-directive": text,
      "blocked-uri": text,
      "document-uri": text,
      "source-file": text,
      "line-number": line,
    }),
  }),
  v.transform(({ "csp-report": report }) => ({
    // Firefox omits effective-directive from some reports.
    effectiveDirective: report["effective-directive"] || report["violated-directive"],
    blockedURL: report["blocked-uri"],
    documentURL: report["document-uri"],
    sourceFile: report["source-file"],
    lineNumber: report["line-number"],
  })),
);

const reportingApiReport = v.pipe(
  v.object({
    type: v.literal("csp-violation"),
    body: v.object({
      effectiveDirective: text,
      blockedURL: text,
      documentURL: text,
      sourceFile: text,
      lineNumber: line,
    }),
  }),
  v.transform(({ body }) => body),
);

const reportSchema = v.pipe(
  v.union([legacyReport, reportingApiReport]),
  v.transform(({ effectiveDirective, blockedURL, documentURL, sourceFile, lineNumber }) => {
    return {
      directive: redactAddresses(effectiveDirective).slice(0, 200),
      // An origin, or a keyword such as `inline`.
      blocked: URL.canParse(blockedURL) ? originOf(new URL(blockedURL)) : redactAddresses(blockedURL).slice(0, 50),
      page: pathOf(documentURL),
      source: pathOf(sourceFile),
      line: lineNumber,
    };
  }),
);

function pathOf(url: string): string {
  return redactAddresses(redactToken(decoded(URL.parse(url)?.pathname ?? ""))).slice(0, 200);
}

/** `data:` and similar URLs have no origin; the rest of such a URL is content. */
function originOf({ origin, protocol }: URL): string {
  return origin === "null" ? protocol : origin;
}

/** Every valid percent-encoded character decoded: anyone can report any spelling of a path. */
function decoded(pathname: string): string {
  return pathname.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
