import { forgetAll } from "#app/owner/editor/kept-texts.ts";

/* The script of the page after signing out. */

forgetAll();
