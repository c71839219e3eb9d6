/** Numbers from 0 to 1 that follow from a seed (mulberry32), so that a run can be repeated. */
export function seededRandom(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (number: number): number => Math.floor(next() * number);
  return {
    next,
    /** A whole number, from 0. */
    below,
    /** Whether something happens that has this probability. */
    chance: (probability: number): boolean => next() < probability,
    pick: <T>(values: readonly T[]): T => values[below(values.length)] as T,
  };
}

/** @public for tests that go with imports and webhooks */
export type SeededRandom = ReturnType<typeof seededRandom>;
