import type * as v from "valibot";
import type { ApiKey } from "#app/features/api/keys/keys.server.ts";
import type { ApiProblem, ApiProblemCode } from "#app/features/api/v1/problem.server.ts";
import type { SchemaName, schemas } from "#app/features/api/v1/schemas/index.server.ts";
import type { AppContext } from "#app/server/context.ts";
import type { ApiScope } from "#app/server/db/schema/api-keys.server.ts";

export type Query = Record<string, QueryParameter>;

export interface QueryParameter<S extends v.GenericSchema = v.GenericSchema> {
  /** Of one value, with its description. A number is written in digits. */
  schema: S;
  /** Whether it can be given several times. */
  isList?: boolean;
}

/** A route of the API: what the router, the OpenAPI document and the readable page are made from. */
export interface ApiRoute<Q extends Query = Query, B extends SchemaName = SchemaName> {
  method: "get" | "post" | "patch" | "delete";
  /** Below `/api/v1`. An `{id}` is a number. */
  path: `/${string}`;
  /** Names the operation in generated clients. */
  id: string;
  summary: string;
  description?: string;
  /** What a key needs; null if any key will do, and `public` if none is needed. */
  scope: ApiScope | null | "public";
  query?: Q;
  body?: { name: B; example: unknown };
  /** Successful responses by status. Without a schema, they have no body. */
  responses: Record<number, { description: string; schema?: SchemaName; headers?: Record<string, string> }>;
  /** Problems besides those that follow from the above. */
  problems?: ApiProblemCode[];
  handle(call: ApiCall<Q, B>): Promise<ApiResponse>;
}

export interface ApiCall<Q extends Query = Query, B extends SchemaName = SchemaName> {
  app: AppContext;
  key: ApiKey | null;
  /** Of the path; 0 without one. */
  id: number;
  /** Checked. Parameters that can be given several times are in `search` only. */
  query: { [Name in keyof Q]?: v.InferOutput<Q[Name]["schema"]> };
  search: URLSearchParams;
  body: v.InferOutput<ReturnType<typeof schemas>[B]>;
  /** Adds an action of this key to the owners' log. Call it after the change, and only if something changed. */
  record: (action: string, details: Record<string, string | number>) => Promise<void>;
}

/** `json` is a body that is text already. */
export type ApiResponse =
  | { status: 200 | 201 | 204; body?: unknown; json?: string; headers?: Record<string, string> }
  | ApiProblem;

/** Checks a route's types, and returns it as one of many with different parameters and bodies. */
export function defineRoute<Q extends Query, B extends SchemaName>(route: ApiRoute<Q, B>): ApiRoute {
  return route as unknown as ApiRoute;
}
