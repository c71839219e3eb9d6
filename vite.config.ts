import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { noteBundledPackages } from "./scripts/lib/bundled-packages.ts";
import { localVars } from "./scripts/lib/local-vars.ts";

const DEV_PORT = 5173;

export default defineConfig(({ command }) => ({
  // The site knows its own address, so development may not slip to another port.
  server: { port: DEV_PORT, strictPort: true },
  // One stylesheet for the site. React Router does not wait for the one that a page brings when a link leads to it, so
  // the page would flash unstyled and an anchor such as /#join would be missed.
  build: { cssCodeSplit: false },
  plugins: [
    cloudflare({
      viteEnvironment: { name: "ssr" },
      // A build must not carry local values along to production.
      config: command === "serve" ? { vars: localVars(DEV_PORT) } : {},
    }),
    reactRouter(),
    noteBundledPackages(),
  ],
}));
