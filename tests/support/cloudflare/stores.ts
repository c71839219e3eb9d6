import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { ApiError, type Routes } from "#tests/support/cloudflare/routes.ts";

interface Query {
  sql: string;
  params?: SQLInputValue[];
}

/** Fakes of D1, on in-memory SQLite, and of empty KV namespaces. */
export function stores() {
  const databases = new Map<string, { uuid: string; sqlite: DatabaseSync; jurisdiction?: string }>();
  const namespaces: { id: string; title: string }[] = [];

  function find(nameOrId = "") {
    const entry = [...databases].find(([name, { uuid }]) => name === nameOrId || uuid === nameOrId);
    if (entry === undefined) throw new ApiError(404, 7404, `The database ${nameOrId} could not be found`);
    return { name: entry[0], ...entry[1] };
  }

  const routes: Routes = {
    "POST /d1/database"({ body: { name, jurisdiction } }) {
      if (databases.has(name)) throw new ApiError(400, 7502, "A database with that name already exists");
      databases.set(name, { uuid: crypto.randomUUID(), sqlite: new DatabaseSync(":memory:"), jurisdiction });
      return { name, uuid: find(name).uuid };
    },
    "GET /d1/database/:id": ({ ids: [id] }) => ({ name: find(id).name, uuid: find(id).uuid }),
    "POST /d1/database/:id/query": ({ ids: [id], body }) => runQueries(find(id).sqlite, body, false),
    "POST /d1/database/:id/raw": ({ ids: [id], body }) => runQueries(find(id).sqlite, body, true),
    "GET /storage/kv/namespaces": () => namespaces,
    "POST /storage/kv/namespaces"({ body: { title } }) {
      if (namespaces.some((other) => other.title === title))
        throw new ApiError(400, 10014, "a namespace with this account ID and title already exists");
      const namespace = { id: crypto.randomUUID().replaceAll("-", ""), title };
      namespaces.push(namespace);
      return namespace;
    },
  };
  return { routes, database: find };
}

/** Runs a request's statements in a transaction, like D1. */
function runQueries(sqlite: DatabaseSync, request: Query | { batch: Query[] }, raw: boolean) {
  const queries = "batch" in request ? request.batch : [request];
  sqlite.exec("BEGIN");
  try {
    const results = queries.map((query) => runQuery(sqlite, query, raw));
    sqlite.exec("COMMIT");
    return results;
  } catch (error) {
    sqlite.exec("ROLLBACK");
    throw new ApiError(400, 7500, error instanceof Error ? `${error.message}: SQLITE_ERROR` : String(error));
  }
}

/** @param raw returns rows as arrays, and the column names separately */
function runQuery(sqlite: DatabaseSync, { sql, params = [] }: Query, raw: boolean) {
  // A migration: several statements in one string, without parameters or results.
  if (params.length === 0 && /;\s*\S/.test(sql)) {
    sqlite.exec(sql);
    return { success: true, results: [], meta: {} };
  }
  const statement = sqlite.prepare(sql);
  statement.setReturnArrays(raw);
  const rows = statement.all(...params);
  const results = raw ? { columns: statement.columns().map(({ name }) => name), rows } : rows;
  return { success: true, results, meta: {} };
}
