import { getTableColumns, is, Param, SQL, sql } from "drizzle-orm";
import type { SQLiteInsertValue, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/server/db/client.server.ts";

/** `INSERT … SELECT … WHERE`, which Drizzle lacks. Omitted columns get their default. */
export function insertWhere<T extends SQLiteTable>(db: Db, table: T, condition: SQL) {
  return {
    values(row: SQLiteInsertValue<T>) {
      const given = row as Record<string, unknown>;
      const values = Object.entries(getTableColumns(table)).map(([name, column]) => {
        const value = given[name] === undefined ? column.default : given[name];
        if (is(value, SQL)) return value;
        return value === undefined ? sql`NULL` : sql`${new Param(value, column)}`;
      });
      return db.insert(table).select(sql`SELECT ${sql.join(values, sql`, `)} WHERE ${condition}`);
    },
  };
}
