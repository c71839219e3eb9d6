import { env } from "cloudflare:test";
import { expect, onTestFinished, test } from "vitest";
import { apiPage } from "#app/features/api/v1/page/api-page.server.tsx";
import { apiRoutes } from "#app/features/api/v1/routes/index.server.ts";
import { setSiteSettings, settingsOfCode } from "#app/server/config/settings.server.ts";
import type { JsonSchema, OpenApiDocument, Operation, Parameter } from "#app/server/http/openapi.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { freshStorageForEachTest, needs } from "#tests/support/pool/start.ts";

needs("api");
freshStorageForEachTest();
const site = apiSite({}, { keepsMemory: true });

/** A table of the page: the cells of each row by the name in its first cell. */
type Rows = Record<string, { value: string; description: string; isOptional: boolean }>;

interface Part {
  /** All of its text. */
  text: string;
  /** By their captions; "" without one. */
  tables: Record<string, Rows>;
}

/** The sections of the page, or of a given one, by the ids of their headings. Those of operations are parts of those of their tags. */
async function readPage(given?: string): Promise<{ html: string; parts: Record<string, Part> }> {
  const html = given ?? (await (await site.request("/api/v1")).text());
  const parts: Record<string, Part> = {};
  for (const [, id = "", content = ""] of html.matchAll(/<h[23] id="([^"]+)">(.*?)(?=<h[23] |<\/main>)/gs)) {
    const tables = Array.from(content.matchAll(/<table[^>]*>(.*?)<\/table>/gs), ([, table = ""]): [string, Rows] => {
      const [, caption = ""] = /<caption>(.*?)<\/caption>/s.exec(table) ?? [];
      const [, rows = ""] = /<tbody>(.*)<\/tbody>/s.exec(table) ?? [];
      return [toText(caption), Object.fromEntries(Array.from(rows.matchAll(/<tr>(.*?)<\/tr>/gs), toRow))];
    });
    expect(parts, id).not.toHaveProperty([id]);
    parts[id] = { text: toText(content), tables: Object.fromEntries(tables) };
  }
  return { html, parts };
}

function toRow([, row = ""]: RegExpExecArray): [string, Rows[string]] {
  const [name = "", value = "", description = ""] = row.split(/<\/t[hd]>/);
  return [
    toText(/<code[^>]*>(.*?)<\/code>/s.exec(name)?.[1] ?? ""),
    { value: toText(value), description: toText(description), isOptional: name.includes("Optional") },
  ];
}

function toText(html: string): string {
  const entities: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'", "&amp;": "&" };
  return html.replaceAll(/<[^>]*>/g, "").replaceAll(/&[^;]+;/g, (entity) => entities[entity] ?? entity);
}

/** The members of a schema by their paths. */
function membersOf(schema: JsonSchema, path = ""): [string, JsonSchema, isOptional: boolean][] {
  const { properties = {}, required = [], items, additionalProperties: others, anyOf = [] } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, member]) => {
      const at = path === "" ? name : `${path}.${name}`;
      return [[at, member, !required.includes(name)] as [string, JsonSchema, boolean], ...membersOf(member, at)];
    }),
    ...(items === undefined ? [] : membersOf(items, `${path}[]`)),
    ...(typeof others === "object" ? membersOf(others, `${path}.*`) : []),
    ...anyOf.flatMap((one) => membersOf(one, path)),
  ];
}

/** What the page says of each keyword, in their order in the schema. Null: nothing, or not by itself. */
const keywords: Record<string, ((value: never) => string) | null> = {
  pattern: (pattern: string) => `pattern ${pattern}`,
  default: (value: unknown) => `default ${value}`,
  minLength: (least: number) => `min length ${least}`,
  maxLength: (most: number) => `max length ${most}`,
  minimum: (least: number) => `min ${least}`,
  maximum: (most: number) => `max ${most}`,
  minItems: (least: number) => `min items ${least}`,
  maxItems: (most: number) => `max items ${most}`,
  minProperties: (least: number) => `min fields ${least}`,
  ...{ $ref: null, const: null, enum: null, format: null, type: null, anyOf: null, items: null },
  ...{ additionalProperties: null, description: null, properties: null, required: null, propertyNames: null },
};

function limitsOf(schema: JsonSchema): string[] {
  expect(Object.keys(schema).filter((keyword) => !(keyword in keywords))).toEqual([]);
  const said = Object.entries(schema).flatMap(([keyword, given]) => keywords[keyword]?.(given as never) ?? []);
  return [...said, ...(schema.additionalProperties === false ? ["no other fields"] : [])];
}

const types: Record<string, string> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  null: "null",
  object: "object",
  "date-time": "time",
  date: "day",
};

/** The whole cell of a value. */
function cellOf(schema: JsonSchema): string {
  const { $ref, anyOf, items, additionalProperties: others, format, type = "", const: value, enum: values } = schema;
  if ($ref !== undefined) return nameIn($ref);
  if (anyOf !== undefined) return anyOf.map(cellOf).join(" or ");
  if (typeof others === "object") return `by name: ${cellOf(others)}`;
  const list = items && `list of ${cellOf(items)}`;
  const word = types[format ?? type] ?? format;
  return [list ?? values?.join(", ") ?? value ?? word ?? "anything", ...limitsOf(schema)].join(", ");
}

function nameIn(ref = ""): string {
  return ref.split("/").at(-1) ?? "";
}

/** Both ways: every member is there with all that the document says of it, and there is no other. */
function expectMembers(rows: Rows | undefined, schema: JsonSchema, where: string): void {
  const members = membersOf(schema);
  expect(Object.keys(rows ?? {}), where).toEqual(members.map(([name]) => name));
  for (const [name, member, isOptional] of members) {
    const expected = { value: cellOf(member), description: plain(member.description), isOptional };
    expect(rows?.[name], `${where}, ${name}`).toEqual(expected);
  }
}

/** Without the marks of code. */
function plain(text = ""): string {
  return text.replaceAll("`", "");
}

async function readDocument(): Promise<OpenApiDocument> {
  return (await site.request("/api/v1/openapi.json")).json();
}

test("the page has every schema of the document, with each member, pattern, length and description, and no others", async () => {
  const { components } = await readDocument();
  const { parts } = await readPage();
  const names = Object.keys(parts);
  expect(names.slice(names.indexOf("schemas") + 1, names.indexOf("headers"))).toEqual(Object.keys(components.schemas));
  for (const [name, schema] of Object.entries(components.schemas)) {
    expectMembers(parts[name]?.tables[""], schema, name);
    expect(parts[name]?.text).toContain([plain(schema.description), ...limitsOf(schema)].join(" "));
  }
});

test("the page has every operation of the document, with its parameters, body, responses, headers and codes", async () => {
  const { paths, webhooks, tags, components } = await readDocument();
  const { html, parts } = await readPage();
  const operations = [...Object.entries(paths), ...Object.entries(webhooks)].flatMap(
    ([name, { servers, ...methods }]) =>
      Object.entries(methods).map(([method, operation]) => {
        const path = name in paths && servers === undefined ? `/api/v1${name}` : name;
        return { ...(operation as Operation), place: `${method.toUpperCase()} ${path}` };
      }),
  );
  const names = Object.keys(parts);
  const shown = names.slice(0, names.indexOf("schemas")).filter((name) => !name.startsWith("about-"));
  expect(shown.toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
  for (const { name, description } of tags) expect(parts[`about-${name}`]?.text).toContain(plain(description));
  for (const { operationId: id, place, summary, description, parameters = [], requestBody, responses } of operations) {
    const { text = "", tables = {} } = parts[id] ?? {};
    for (const expected of [place, summary, plain(description)]) expect(text, id).toContain(expected);
    expect(html).toContain(`<a href="#${id}">${summary}</a>`);
    const own = parameters.filter((parameter): parameter is Parameter => "name" in parameter);
    expect(Object.keys(tables["Parameters"] ?? {}), id).toEqual(own.map(({ name }) => name));
    for (const parameter of own) {
      const expected = {
        value: cellOf(parameter.schema),
        description: plain(parameter.description),
        isOptional: false,
      };
      expect(tables["Parameters"]?.[parameter.name], `${id}, ${parameter.name}`).toEqual(expected);
    }
    for (const parameter of parameters) if ("$ref" in parameter) expect(text).toContain(nameIn(parameter.$ref));
    const body = requestBody?.content["application/json"];
    const schema = components.schemas[nameIn(body?.schema.$ref)] ?? body?.schema;
    const captions = Object.keys(tables).filter((caption) => caption !== "Parameters");
    const caption = schema && ["Body", ...limitsOf(schema)].join(", ");
    expect(captions, id).toEqual(caption === undefined ? [] : [caption]);
    if (schema !== undefined) expectMembers(tables[caption ?? ""], schema, id);
    for (const [status, { description, headers = {}, content = {} }] of Object.entries(responses)) {
      const schemas = Object.values(content).map((one) => nameIn(one.schema.$ref));
      expect(text, id).toContain([`${status} ${plain(description)}`, ...schemas].join(" ").trim());
      for (const [name, header] of Object.entries(headers))
        if ("description" in header) expect(text, `${id}, ${status}`).toContain(`${name}: ${header.description}`);
    }
  }
});

test("the page has every shared header and every code of a problem, with its meaning, and no others", async () => {
  const { paths, components } = await readDocument();
  const { parts } = await readPage();
  const { parameters, headers } = components;
  expect(parts["headers"]?.tables[""]).toEqual(
    Object.fromEntries(
      Object.entries({ ...parameters, ...headers }).map(([name, { description, schema }]) => [
        name,
        {
          value: schema.pattern === undefined ? "text" : `text, pattern ${schema.pattern}`,
          description: plain(description),
          isOptional: false,
        },
      ]),
    ),
  );
  const documented = Object.values(paths)
    .flatMap((operations) => Object.values(operations as Record<string, Operation>))
    .flatMap(({ responses = {} }) => Object.entries(responses))
    .filter(([, { content = {} }]) => "application/problem+json" in content)
    .flatMap(([status, { description }]) =>
      Array.from(description.matchAll(/`([\w-]+)`: ([^`]*?\.)(?= `|$)/g), ([, code = "", title = ""]) => [
        code,
        status,
        title,
      ]),
    );
  const rows = parts["errors"]?.tables[""] ?? {};
  for (const [code = "", status, title] of documented)
    expect([rows[code]?.value, `${rows[code]?.description}.`], code).toEqual([status, title]);
  // Not of an operation: a method that its path does not have.
  expect(Object.keys(rows).toSorted()).toEqual(
    [...new Set([...documented.map(([code]) => code), "method-not-allowed"])].toSorted(),
  );
});

test("what an owner calls a question is shown as it is, with its backticks", async () => {
  const [label, ticks] = ["Stall `A or \\B", "`#Entry`"];
  const questions = [
    { key: "stall", label, wording: "Which stall?" },
    { key: "ticks", label: ticks, wording: "Which?", answers: { a: "A" } },
  ];
  setSiteSettings({ ...settingsOfCode, questions });
  onTestFinished(() => setSiteSettings(settingsOfCode));
  const { parts } = await readPage(apiPage(apiRoutes, env));
  const { answer_stall, answer_ticks } = parts["listEntries"]?.tables["Parameters"] ?? {};
  expect([answer_stall?.description, answer_ticks?.description]).toEqual([
    `Part of the answer to “${label}”.`,
    `The answer to “${ticks}”. Can be given several times.`,
  ]);
  expect(parts["SignUpAnswers"]?.tables[""]?.["answers.stall"]?.description).toBe(`${label}. Null removes it.`);
});
