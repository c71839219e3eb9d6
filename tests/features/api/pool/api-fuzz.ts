import type { Schema } from "@cfworker/json-schema";
import fc from "fast-check";
import { type Document, operationsOf } from "#tests/features/api/pool/api-contract.ts";

/** A generated request of the API, in a form that fast-check can print. */
export interface ApiRequest {
  method: string;
  /** Below `/api/v1`, with its query. */
  path: string;
  headers: Record<string, string>;
  /** As text, for a method that has one. */
  body: string | undefined;
}

/**
 * Requests of every operation of a document: valid, nearly valid and absurd.
 *
 * @param keys some that work, some that do not
 * @param cursors of all lists
 */
export function apiRequests(document: Document, keys: string[], cursors: string[]): fc.Arbitrary<ApiRequest> {
  const cursor = anyCursor(cursors);
  const each = operationsOf(document).map(({ method, path, operation: { parameters, requestBody } }) => {
    const schema = requestBody?.content["application/json"].schema;
    const queries = parameters.filter((parameter) => parameter.in === "query");
    const valuesOfQuery = ({ name, schema }: (typeof queries)[number]): fc.Arbitrary<unknown> =>
      ({ cursor, changed_since: anyRecentTime })[name] ?? valuesOf(schema, document);
    const valid = queries.map((parameter) =>
      valuesOfQuery(parameter).map((value): [string, unknown] => [parameter.name, value]),
    );
    const paging = queries.filter(({ name }) => ["limit", "cursor", "order", "changed_since"].includes(name));
    const page = fc
      .record(Object.fromEntries(paging.map((parameter) => [parameter.name, valuesOfQuery(parameter)])), {
        requiredKeys: [],
      })
      .map((values) => Object.entries(values));
    const name = fc.constantFrom(...queries.map(({ name }) => name), "colour", "__proto__");
    const query = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.array(fc.oneof(fc.constant(["", ""] as [string, unknown]), ...valid), { maxLength: 3 }),
      },
      { weight: paging.length > 0 ? 8 : 0, arbitrary: page },
      { weight: 2, arbitrary: fc.array(fc.tuple(fc.oneof(name, absurdText), absurdText), { maxLength: 3 }) },
    );
    const rawQuery = fc.constantFrom("%", "%ff=%E0%A4%A", "&&=&", "limit=1;limit=2", "status[]=active");
    const search = fc.oneof({ weight: 8, arbitrary: query.map(toQuery) }, rawQuery);
    return fc.record({
      method: fc.oneof(
        { weight: 9, arbitrary: fc.constant(method) },
        fc.constantFrom("HEAD", "PUT", "OPTIONS", "POST"),
      ),
      path: fc.tuple(idText, search).map(([id, text]) => path.replace("{id}", id) + (text && `?${text}`)),
      headers: headersOf(keys),
      body: schema === undefined ? fc.constantFrom(undefined, "{}", "x") : bodyOf(schema, document),
    });
  });
  return fc.oneof(...each);
}

/** Cursors of all lists, those in which a character is another one, and texts that are none. */
function anyCursor(cursors: string[]): fc.Arbitrary<string> {
  const real = fc.constantFrom(...cursors);
  const spoilt = fc
    .tuple(real, fc.nat(100), fc.stringMatching(/^[\w-]$/))
    .map(([text, at, character]) => text.slice(0, at % text.length) + character + text.slice((at % text.length) + 1));
  return fc.oneof({ weight: 5, arbitrary: real }, { weight: 2, arbitrary: spoilt }, fc.string({ maxLength: 30 }));
}

/** Since the test began, shortly before and long before. */
const anyRecentTime = fc.oneof(
  fc.nat(2_000).map((ago) => new Date(Date.now() - ago).toISOString()),
  fc.constantFrom("2020-01-01T00:00:00Z", "2026-11-30T12:00:00+14:00", "2999-12-31T23:59:59.999Z", "2026-11-30"),
);

/** Ids of entries that exist and do not, and no ids. */
const idText = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 60 }).map(String) },
  fc.constantFrom("0", "-1", "1.5", "999999999999999", "9999999999999999", "1e3", "%31", "%00", "null"),
  fc.string({ unit: "binary", maxLength: 12 }).map((text) => encodeURIComponent(`x${text.toWellFormed()}`)),
);

const absurdText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom("", "null", "-1", "9".repeat(400), "x".repeat(3_000), "' OR 1=1 --", "2026-02-30", "\u0000", "💥"),
);

function headersOf(keys: string[]): fc.Arbitrary<Record<string, string>> {
  const bearer = fc.oneof({ weight: 12, arbitrary: fc.constant(keys[0]) }, fc.constantFrom(...keys));
  return fc.record({
    Authorization: fc.oneof(
      { weight: 12, arbitrary: bearer.map((text) => `Bearer ${text}`) },
      fc.stringMatching(/^[!-~]([ -~]{0,60}[!-~])?$/),
    ),
    "Content-Type": fc.oneof(
      { weight: 12, arbitrary: fc.constant("application/json") },
      fc.constantFrom("application/json; charset=utf-8", "text/plain", "application/x-www-form-urlencoded", ""),
    ),
    "CF-Connecting-IP": fc.ipV4(),
    Accept: fc.constantFrom("*/*", "text/html", "application/xml"),
  });
}

/** Bodies that fulfil a schema, those in which something is wrong, and texts that are no JSON. */
function bodyOf(schema: Schema, document: Document): fc.Arbitrary<string> {
  const valid = valuesOf(schema, document);
  const spoilt = fc
    .tuple(valid, fc.string({ unit: "binary", maxLength: 12 }), fc.nat(20), fc.oneof(fc.jsonValue(), absurdText))
    .map(([value, name, at, absurd]) => {
      const names = [...Object.keys(value as object), name];
      return { ...(value as object), [names[at % names.length] ?? ""]: absurd };
    });
  const text = fc
    .oneof({ weight: 4, arbitrary: valid }, { weight: 5, arbitrary: spoilt }, fc.jsonValue())
    .map((value) => JSON.stringify(value));
  const truncated = fc.tuple(text, fc.nat(200)).map(([whole, at]) => whole.slice(0, at));
  const deep = fc.constantFrom("[".repeat(9_000), `{"note":${"[".repeat(5_000)}${"]".repeat(5_000)}}`);
  const tooLarge = fc.constant(" ".repeat(32_769));
  return fc.oneof({ weight: 8, arbitrary: text }, truncated, deep, tooLarge, absurdText);
}

/** Values that fulfil a schema, as far as a schema can say it. */
function valuesOf(schema: Schema, document: Document): fc.Arbitrary<unknown> {
  const { $ref, enum: values, anyOf, type, format, pattern, maxLength = 40, minLength = 0, minimum, maximum } = schema;
  if ($ref !== undefined) return valuesOf(document.components.schemas[$ref.split("/").at(-1) ?? ""] ?? {}, document);
  if (values !== undefined) return fc.constantFrom(...values);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((one) => valuesOf(one, document)));
  if (type === "object") {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    const members = properties.map(([name, member]): [string, fc.Arbitrary<unknown>] => [
      name,
      name === "email" ? anyEmail : valuesOf(member, document),
    ]);
    return fc.record<Record<string, unknown>>(Object.fromEntries(members), { requiredKeys: schema.required ?? [] });
  }
  if (type === "array") return fc.array(valuesOf(schema.items as Schema, document), { minLength: 1, maxLength: 3 });
  if (type === "integer" || type === "number") return fc.integer({ min: minimum ?? 0, max: maximum ?? 1_000 });
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  if (format === "date-time")
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date("2027-01-01") })
      .map((date) => date.toISOString());
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, 200) });
}

/** Few addresses, so that many are on the list already. The first ones are from the beginning. */
const anyEmail = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 60 }).map((n) => `${n % 2 ? "ada" : " Ada"}${n}@example.com`) },
  { weight: 4, arbitrary: fc.stringMatching(/^[a-f]{1,2}@[ab]\.example$/) },
  fc.emailAddress(),
  fc.string({ maxLength: 20 }),
);

function toQuery(parameters: [string, unknown][]): string {
  const named = parameters.filter(([name, value]) => name !== "" || value !== "");
  const pairs = named.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]));
  return new URLSearchParams(pairs).toString();
}
