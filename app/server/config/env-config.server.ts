import { type Config, describeProblems } from "#app/server/config/config.server.ts";
import { mergeSettings, type StoredSettings } from "#app/server/config/settings.server.ts";
import { logWarning, redactAddresses } from "#app/server/log.ts";
import { perEnv } from "#app/server/per-env.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/** What an isolate knows of its settings. Variables do not change during its lifetime, stored settings do. */
interface KnownSettings extends ReturnType<typeof mergeSettings> {
  /** As JSON. */
  stored: string;
  /** When the stored ones were read last; null before that. */
  readAt: EpochMillis | null;
  /** When the last try to read them began, and the last one that failed. */
  triedAt: EpochMillis;
  failedAt: EpochMillis;
}

const known = perEnv((env: Env): KnownSettings => {
  return {
    ...merge(env, {}),
    stored: "{}",
    readAt: null,
    triedAt: Number.NEGATIVE_INFINITY,
    failedAt: Number.NEGATIVE_INFINITY,
  };
});

/** Logs problems by name. */
function merge(env: Env, stored: StoredSettings) {
  const merged = mergeSettings(env, stored);
  for (const { name, problem, fatal } of merged.problems) {
    logWarning("config-problem", { name, problem: redactAddresses(problem), fatal });
  }
  return merged;
}

export function knownSettings(env: Env): Readonly<KnownSettings> {
  return known(env);
}

/** Notes that a read begins or has failed, so that other requests do not read as well. */
export function noteSettingsRead(env: Env, note: Partial<Pick<KnownSettings, "triedAt" | "failedAt">>): void {
  Object.assign(known(env), note);
}

/** Makes stored settings hold in this isolate. A slow read that began before another one does not undo it. */
export function applySettings(env: Env, stored: StoredSettings, readAt: EpochMillis): void {
  const state = known(env);
  if (readAt < (state.readAt ?? Number.NEGATIVE_INFINITY)) return;
  const text = JSON.stringify(stored);
  Object.assign(state, { readAt }, text === state.stored ? {} : { ...merge(env, stored), stored: text });
}

/** @throws {@link ConfigError} if a required value is missing or malformed */
export function getConfig(env: Env): Config {
  const { config, problems } = known(env);
  if (config === null) throw new ConfigError(describeProblems(problems.filter(({ fatal }) => fatal)));
  return config;
}

export function getConfigIfValid(env: Env): Config | null {
  return known(env).config;
}

export class ConfigError extends Error {
  override name = "ConfigError";
}
