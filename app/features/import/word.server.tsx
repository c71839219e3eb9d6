/** A word such as an address, which moves to the next line before it breaks; only one too long for a phone may break. */
export function Word({ children }: { children: string }) {
  return children.length > LONG_WORD ? children : <span className="word">{children}</span>;
}

/** Characters. */
const LONG_WORD = 40;
