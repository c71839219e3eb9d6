import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: "app/server/db/schema/*.server.ts",
  out: "migrations",
});

// drizzle-kit cannot write WITHOUT ROWID, which saves a row written for each recipient and batch of a letter, and each
// sign-up at a fair.
process.on("exit", () => {
  for (const name of readdirSync("migrations").filter((file) => file.endsWith(".sql"))) {
    const sql = readFileSync(`migrations/${name}`, "utf8");
    const patched = sql.replace(
      /(CREATE TABLE `(?:letter_(?:batches|recipients)|fair_(?:inbox|sign_ups))` \([^;]*\n\));/g,
      "$1 WITHOUT ROWID;",
    );
    if (patched !== sql) writeFileSync(`migrations/${name}`, patched);
  }
});
