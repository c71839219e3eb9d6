import type { FeatureServer } from "#app/feature.ts";
import { features } from "#app/features.ts";
import type { AddedByFeatures } from "#app/server/context.ts";

const loaded = await Promise.all(
  features.map(async ({ name, server }) => ({ name, part: (await server?.())?.server ?? {} })),
);

/** What the features add to the Worker, in their order. Loaded when it starts, since a first request may need each. */
export const parts: readonly FeatureServer[] = loaded.map(({ part }) => part);

/** The part of it that lower floors ask the context for. */
export const added: AddedByFeatures = {
  entryHooks: parts.find(({ entryHooks }) => entryHooks)?.entryHooks ?? {},
  collections: parts.flatMap(({ collection }) => collection ?? []),
  composeLetter: parts.find(({ composeLetter }) => composeLetter)?.composeLetter,
  readSettings: parts.find(({ readSettings }) => readSettings)?.readSettings,
  health: Object.fromEntries(loaded.flatMap(({ name, part: { health } }) => (health ? [[name, health]] : []))),
};
