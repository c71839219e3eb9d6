import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { inPrivateFolder } from "#scripts/deploy/worker.ts";
import { root } from "#scripts/lib/commands.ts";
import { nodeFlags } from "#scripts/lib/node-flags.mjs";

/** Writes a secret into the folder, says so, and waits. */
const program = `
  import { writeFileSync } from "node:fs";
  import { inPrivateFolder } from "#scripts/deploy/worker.ts";
  await inPrivateFolder(async (folder) => {
    writeFileSync(folder + "/secrets.json", "{}");
    process.stdin.on("data", () => process.exit(3));
    console.log("ready");
    await new Promise(() => {});
  });
`;

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
  ["exit", 3],
] as const)("%s removes the folder", async (end, code) => {
  const temporary = mkdtempSync(join(tmpdir(), "waitlist-site-private-"));
  onTestFinished(() => rmSync(temporary, { recursive: true }));
  const child = spawn(process.execPath, [...nodeFlags, "--input-type=module-typescript", "--eval", program], {
    cwd: root,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const closed = once(child, "close");
  await once(child.stdout, "data");
  expect(readdirSync(temporary)).toHaveLength(1);
  if (end === "exit") child.stdin.write("end");
  else child.kill(end);
  expect(await closed).toEqual([code, null]);
  expect(readdirSync(temporary)).toEqual([]);
});

test("the folder is private, and is removed when the work ends or fails", async () => {
  let used = "";
  const mode = await inPrivateFolder(async (folder) => {
    used = folder;
    return statSync(folder).mode & 0o777;
  });
  expect(mode).toBe(0o700);
  expect(existsSync(used)).toBe(false);
  const failing = inPrivateFolder(async (folder) => {
    used = folder;
    throw new Error("the upload failed");
  });
  await expect(failing).rejects.toThrow("the upload failed");
  expect(existsSync(used)).toBe(false);
});
