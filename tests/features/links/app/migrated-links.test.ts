import { applyD1Migrations, env, reset } from "cloudflare:test";
import { expect, test } from "vitest";
import { execute, rows } from "#tests/support/pool/start.ts";

test("links that the log knows are in the list after the migration, once each", async () => {
  await reset();
  const index = env.MIGRATIONS.findIndex(({ name }) => name.endsWith("_links.sql"));
  await applyD1Migrations(env.DB, env.MIGRATIONS.slice(0, index));
  const autumn = { page: "/", utm_source: "fair", utm_medium: "print", utm_campaign: "autumn_fair" };
  const poster = { page: "/roadmap", utm_source: "poster" };
  for (const [actor, action, details, at] of [
    ["ada@example.com", "make-link", autumn, 20],
    ["bob@example.com", "make-link", autumn, 30],
    ["bob@example.com", "make-link", poster, 10],
    ["bob@example.com", "make-link", {}, 5],
    ["bob@example.com", "sign-in", poster, 1],
  ] as const) {
    const insert = "INSERT INTO owner_log (actor, action, details, created_at) VALUES (?, ?, ?, ?)";
    await execute(insert, actor, action, JSON.stringify(details), at);
  }
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  expect(await rows("links")).toEqual([
    { id: 1, ...poster, utm_medium: "", utm_campaign: "", actor: "bob@example.com", created_at: 10 },
    { id: 2, ...autumn, actor: "ada@example.com", created_at: 20 },
  ]);
});
