/** The choice that a mistyped word most likely means, or null if none is close. Ignores case. */
export function nearest(typed: string, choices: string[]): string | null {
  const distances = choices.map((choice) => ({
    choice,
    edits: editDistance(typed.toUpperCase(), choice.toUpperCase()),
  }));
  const [best] = distances.toSorted((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits <= typed.length / 2 ? best.choice : null;
}

/** How many characters to insert, delete or replace to turn one word into the other (Levenshtein's distance). */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, character] of [...from].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const replace = (previous[column - 1] ?? 0) + (character === to[column - 1] ? 0 : 1);
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, replace));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
