import { shareMigratedState } from "#scripts/lib/migrated-state.ts";

/** Playwright runs this once, before its workers start. */
export default shareMigratedState;
