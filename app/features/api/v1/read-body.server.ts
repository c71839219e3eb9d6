import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import * as v from "valibot";
import { issueDetail } from "#app/features/api/v1/issue-detail.server.ts";
import { type Problem, type ProblemError, respondProblem } from "#app/features/api/v1/problem.server.ts";
import type { V1Bindings } from "#app/features/api/v1/types.server.ts";

/** The longest note takes 12 KB, if each of its characters is escaped. */
export const MAX_BODY_BYTES = 32_768;

/** Of a long list of errors, the first ones help. */
const MAX_ERRORS = 20;

/** Refuses larger bodies, with or without a Content-Length. */
export const limitBody = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: (c) =>
    respondProblem(c, { problem: "too-large", detail: `The body must not exceed ${MAX_BODY_BYTES} bytes.` }),
});

/** The body of a request, checked by a schema. Unknown fields are refused. */
export async function readBody<S extends v.GenericSchema>(
  c: Context<V1Bindings>,
  schema: S,
): Promise<{ body: v.InferOutput<S> } | Problem> {
  if (!/^application\/json\s*(;|$)/i.test(c.req.header("Content-Type") ?? "")) {
    return { problem: "not-json", detail: "Send JSON, with Content-Type: application/json." };
  }
  const given = parseObject(await c.req.arrayBuffer());
  if (given === null) return { problem: "malformed-json", detail: "The body must be a JSON object in UTF-8." };
  const parsed = v.safeParse(schema, given);
  if (parsed.success) return { body: parsed.output };
  const errors: ProblemError[] = parsed.issues
    .slice(0, MAX_ERRORS)
    .map((issue) => ({ pointer: pointerOf(issue), detail: issueDetail(issue) }));
  return { problem: "invalid-body", detail: "Some fields of the body are not valid.", errors };
}

/** A JSON pointer as a fragment (RFC 6901, section 6), as RFC 9457 has it in its example. */
function pointerOf({ path }: v.BaseIssue<unknown>): string {
  const names = (path ?? []).map(({ key }) => `/${encode(String(key))}`);
  return `#${names.join("")}`;
}

function encode(name: string): string {
  return encodeURIComponent(name.slice(0, 80).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1"));
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parseObject(bytes: ArrayBuffer): object | null {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
