import { expect, test } from "vitest";
import { readWranglerFlags } from "#scripts/lib/wrangler-flags.ts";

test("the defaults are port 8787 and Wrangler's own folder", () => {
  expect(readWranglerFlags([])).toEqual({
    port: 8787,
    persistTo: ".wrangler/state",
    vars: {},
    verbose: false,
    rest: [],
  });
});

test("port, folder and variables are parsed in both spellings; the other flags stay in order", () => {
  const args = [
    "--port",
    "8800",
    "--log-level",
    "debug",
    "--persist-to=/tmp/x",
    "--var",
    "SURVEY_URL:https://a.example:8443/b",
  ];
  expect(readWranglerFlags([...args, "--var=A:1", "--live-reload"])).toEqual({
    port: 8800,
    persistTo: "/tmp/x",
    vars: { SURVEY_URL: "https://a.example:8443/b", A: "1" },
    verbose: false,
    rest: ["--log-level", "debug", "--live-reload"],
  });
});

test.each([
  [["--port"], "--port needs a value"],
  [["--port", "lots"], "--port lots is not a whole number"],
  [["--port", "70000"], "is not a port number"],
  [["--var", "SURVEY_URL"], "must have the form NAME:value"],
  [["--persist-to="], "--persist-to needs a value"],
])("%j is rejected: %s", (args, message) => expect(() => readWranglerFlags(args)).toThrow(message));
