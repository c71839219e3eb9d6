import { site } from "#app/site.ts";

/** In a module without JSX, for scripts. */
export const rejoinSubject = `Do you want to rejoin the ${site.name} waitlist?`;
