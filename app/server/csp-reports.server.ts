import * as v from "valibot";
import { logWarning, redactAddresses } from "#app/server/log.ts";
import { redactToken } from "#app/server/token-path.ts";

/** What a browser refused, without anything that could name a visitor. */
export interface CspViolation {
  directive: string;
  /** An origin, or a word such as `inline`. */
  blocked: string;
  /** Path of the page. */
  page: string;
  /** Path of the script that tried. */
  source: string;
  line: number;
}

/** Takes violations, and logs as many of them as are worth reading. */
export interface CspViolationLog {
  note(violations: CspViolation[], now: number): void;
}

/** Reports of one request that are looked at. Browsers gather a few; more is somebody playing. */
const MAX_REPORTS_PER_REQUEST = 10;

/** Lines that one isolate writes within a minute: anybody can send reports, and the log is paid by the line. */
export const LINES_PER_MINUTE = 20;

/**
 * Reads a body of either kind: `application/csp-report` (https://www.w3.org/TR/CSP3/#deprecated-serialize-violation) or
 * `application/reports+json` (https://www.w3.org/TR/reporting-1/#serialize-reports). Whatever is neither is left out.
 */
export function parseCspReports(body: unknown): CspViolation[] {
  const reports = (Array.isArray(body) ? body : [body]).slice(0, MAX_REPORTS_PER_REQUEST);
  return reports.flatMap((report) => {
    const result = v.safeParse(reportSchema, report);
    return result.success ? [result.output] : [];
  });
}

/** One for all requests of an isolate. */
export function createViolationLog(): CspViolationLog {
  let minute = 0;
  let lines = 0;
  return {
    note(violations, now) {
      const current = Math.floor(now / 60_000);
      if (current !== minute) [minute, lines] = [current, 0];
      for (const violation of violations) {
        lines += 1;
        if (lines <= LINES_PER_MINUTE) logWarning("csp-violation", { ...violation });
        else if (lines === LINES_PER_MINUTE + 1)
          logWarning("csp-violations-capped", { perMinute: LINES_PER_MINUTE });
      }
    },
  };
}

const text = v.pipe(
  v.nullish(v.string(), ""),
  v.transform((value) => redactAddresses(value).slice(0, 200)),
);
const originOrWord = v.pipe(
  v.nullish(v.string(), ""),
  v.transform((value) => (URL.canParse(value) ? originOf(new URL(value)) : redactAddresses(value).slice(0, 50))),
);
const path = v.pipe(
  v.nullish(v.string(), ""),
  v.transform((value) => redactAddresses(redactToken(URL.parse(value)?.pathname ?? "")).slice(0, 200)),
);
const line = v.nullish(v.number(), 0);

const oldReport = v.pipe(
  v.object({
    "csp-report": v.object({
      "effective-directive": text,
      "violated-directive": text,
      "blocked-uri": originOrWord,
      "document-uri": path,
      "source-file": path,
      "line-number": line,
    }),
  }),
  v.transform(({ "csp-report": report }): CspViolation => {
    return {
      // Firefox leaves the first one out of some reports.
      directive: report["effective-directive"] || report["violated-directive"],
      blocked: report["blocked-uri"],
      page: report["document-uri"],
      source: report["source-file"],
      line: report["line-number"],
    };
  }),
);

const newReport = v.pipe(
  v.object({
    type: v.literal("csp-violation"),
    body: v.object({
      effectiveDirective: text,
      blockedURL: originOrWord,
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

const reportSchema = v.union([oldReport, newReport]);

/** `data:` and the like have no origin, and what follows their scheme is content. */
function originOf({ origin, protocol }: URL): string {
  return origin === "null" ? protocol : origin;
}
