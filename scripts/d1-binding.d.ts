/** Only the binding's type: a Worker's other globals clash with Node's. */
type D1Database = import("@cloudflare/workers-types").D1Database;
