import * as v from "valibot";
import { issueDetail } from "#app/features/api/v1/issue-detail.server.ts";
import type { Problem, ProblemError } from "#app/features/api/v1/problem.server.ts";
import type { ApiCall, Query } from "#app/features/api/v1/route.server.ts";

/** The parameters of a query. Unknown, repeated and empty ones are refused, so that a misspelt filter never lists everyone. */
export function readQuery(search: URLSearchParams, parameters: Query): { query: ApiCall["query"] } | Problem {
  const errors: ProblemError[] = [];
  const query: ApiCall["query"] = {};
  for (const name of new Set(search.keys())) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const values = search.getAll(name);
    if (parameter === undefined) errors.push({ parameter: shorten(name), detail: "is not a known parameter" });
    else if (values.length > 1 && !parameter.isList)
      errors.push({ parameter: name, detail: "must be given only once" });
    else {
      for (const value of values) {
        const parsed = v.safeParse(parameter.schema, isNumeric(parameter.schema) ? toNumber(value) : value);
        if (value === "") errors.push({ parameter: name, detail: "must not be empty" });
        else if (!parsed.success) errors.push({ parameter: name, detail: issueDetail(parsed.issues[0]) });
        else query[name] = parsed.output;
      }
    }
  }
  if (errors.length === 0) return { query };
  const texts = errors.map((error) => ("parameter" in error ? `${error.parameter} ${error.detail}` : error.detail));
  return { problem: "invalid-query", detail: `Query parameters are not valid: ${texts.join("; ")}.`, errors };
}

function isNumeric(schema: v.GenericSchema): boolean {
  const { type, options } = schema as v.GenericSchema & { options?: unknown[] };
  return type === "number" || (type === "picklist" && typeof options?.[0] === "number");
}

function toNumber(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

/** A name that the client made up may be long. */
function shorten(name: string): string {
  return name.slice(0, 40).toWellFormed();
}
