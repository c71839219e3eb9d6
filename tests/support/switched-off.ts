import * as switches from "#app/switches.ts";

export type Switch = keyof typeof switches;

/** Why a test of some parts and features does not run; null if all of them are switched on. */
export function switchedOff(names: Switch[]): string | null {
  const off = Object.entries(switches).flatMap(([name, isOn]) =>
    isOn || !names.includes(name as Switch) ? [] : [name],
  );
  return off.length === 0 ? null : `Switched off in app/switches.ts: ${off.join(", ")}`;
}
