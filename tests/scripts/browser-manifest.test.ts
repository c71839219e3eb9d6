import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { shortenManifest } from "#vite/browser-manifest.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "manifest-"));
  const assets = join(folder, "client", "assets");
  mkdirSync(assets, { recursive: true });
  file = join(assets, "manifest-0a1b2c3d.js");
});

afterEach(() => rmSync(folder, { recursive: true }));

test("the manifest keeps what browsers read of the pages", () => {
  const page = {
    id: "routes/home",
    path: "/",
    hasAction: true,
    hasLoader: false,
    hasDefaultExport: true,
    module: "/assets/home.js",
  };
  const manifest = {
    entry: { module: "/assets/entry.js", imports: ["/assets/frame.js"], css: [] },
    routes: {
      "routes/home": { ...page, imports: ["/assets/frame.js"], css: [] },
      "routes/robots": { ...page, id: "routes/robots", path: "/robots.txt", hasDefaultExport: false },
      "routes/styled": { ...page, id: "routes/styled", css: ["/assets/styled.css"] },
    },
    version: "0a1b2c3d",
  };
  writeFileSync(file, `window.__reactRouterManifest=${JSON.stringify(manifest)};`);
  shortenManifest(folder);
  const source = readFileSync(file, "utf8");
  expect(source).toMatch(/^window\.__reactRouterManifest=\{.*\};$/);
  const home = { id: "routes/home", path: "/", hasAction: true, module: "/assets/home.js" };
  expect(JSON.parse(source.slice(source.indexOf("{"), -1))).toEqual({
    ...manifest,
    routes: {
      "routes/home": home,
      "routes/styled": { ...home, id: "routes/styled", css: ["/assets/styled.css"] },
    },
  });
});

test("a build without a manifest, or with another form of it, fails", () => {
  expect(() => shortenManifest(folder)).toThrow("has no manifest");
  writeFileSync(file, "export default {};");
  expect(() => shortenManifest(folder)).toThrow("does not start with");
});
