/** The binding's type alone: the other globals of a Worker are not those of Node. */
type D1Database = import("@cloudflare/workers-types").D1Database;
