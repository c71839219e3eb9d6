import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

export default defineConfig({
  // One stylesheet for the site. React Router does not wait for the one that a page brings when a link leads to it, so
  // the page would flash unstyled and an anchor such as /#join would be missed.
  build: { cssCodeSplit: false },
  plugins: [cloudflare({ viteEnvironment: { name: "ssr" } }), reactRouter()],
});
