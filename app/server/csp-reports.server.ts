import * as v from "valibot";
import { redactAddresses } from "#app/server/log.ts";
import { redactToken } from "#app/server/token-path.ts";

/** A CSP violation reported by a browser, without personal data. */
export interface CspViolation {
  directive: string;
  /** An origin, or a keyword such as `inline`. */
  blocked: string;
  /** Path of the page. */
  page: string;
  /** Path of the script at fault. */
  source: string;
  line: number;
}

/** Browsers batch a few reports per request; more than this is abuse. */
const MAX_REPORTS_PER_REQUEST = 10;

/**
 * Parses a body of type `application/csp-report` (https://www.w3.org/TR/CSP3/#deprecated-serialize-violation) or
 * `application/reports+json` (https://www.w3.org/TR/reporting-1/#serialize-reports). Malformed reports are skipped.
 */
export function parseCspReports(body: unknown): CspViolation[] {
  const reports = (Array.isArray(body) ? body : [body]).slice(0, MAX_REPORTS_PER_REQUEST);
  return reports.flatMap((report) => {
    const result = v.safeParse(reportSchema, report);
    return result.success ? [result.output] : [];
  });
}

const text = v.pipe(
  v.nullish(v.string(), ""),
  v.transform((value) => redactAddresses(value).slice(0, 200)),
);
const originOrKeyword = v.pipe(
  v.nullish(v.string(), ""),
  v.transform((value) => (URL.canParse(value) ? originOf(new URL(value)) : redactAddresses(value).slice(0, 50))),
);
const path = v.pipe(
  v.nullish(v.string(), ""),
  v.transform((value) => redactAddresses(redactToken(decoded(URL.parse(value)?.pathname ?? ""))).slice(0, 200)),
);
const line = v.nullish(v.number(), 0);

const legacyReport = v.pipe(
  v.object({
    "csp-report": v.object({
      "effective-directive": text,
      "violated-directive": text,
      "blocked-uri": originOrKeyword,
      "document-uri": path,
      "source-file": path,
      "line-number": line,
    }),
  }),
  v.transform(({ "csp-report": report }): CspViolation => {
    return {
      // Firefox omits effective-directive from some reports.
      directive: report["effective-directive"] || report["violated-directive"],
      blocked: report["blocked-uri"],
      page: report["document-uri"],
      source: report["source-file"],
      line: report["line-number"],
    };
  }),
);

const reportingApiReport = v.pipe(
  v.object({
    type: v.literal("csp-violation"),
    body: v.object({
      effectiveDirective: text,
      blockedURL: originOrKeyword,
      documentURL: path,
      sourceFile: path,
      lineNumber: line,
    }),
  }),
  v.transform(({ body }): CspViolation => {
    return {
      directive: body.effectiveDirective,
      blocked: body.blockedURL,
      page: body.documentURL,
      source: body.sourceFile,
      line: body.lineNumber,
    };
  }),
);

const reportSchema = v.union([legacyReport, reportingApiReport]);

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
