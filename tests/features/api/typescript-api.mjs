import { registerHooks } from "node:module";

/*
 * Preload this for tools that use TypeScript's JavaScript API, which TypeScript 7 does not have: they get that of an earlier
 * version, which ts-morph holds.
 */

const earlier = JSON.stringify(import.meta.resolve("@ts-morph/common"));
const url = `data:text/javascript,${encodeURIComponent(`import common from ${earlier}; export default common.ts;`)}`;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "typescript" ? { url, shortCircuit: true } : next(specifier, context),
});
