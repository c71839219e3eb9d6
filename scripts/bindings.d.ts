/** Only the binding's types: a Worker's other globals clash with Node's. */
type D1Database = import("@cloudflare/workers-types").D1Database;
type D1PreparedStatement = import("@cloudflare/workers-types").D1PreparedStatement;
type KVNamespace = import("@cloudflare/workers-types").KVNamespace;
type RateLimit = import("@cloudflare/workers-types").RateLimit;
