const encoder = new TextEncoder();

/** Memoises encoded text by key. The cache is unbounded, so keys must be few. */
export function memoiseBytes(build: (key: string) => string): (key: string) => Uint8Array {
  const cached = new Map<string, Uint8Array>();
  return (key) => {
    const bytes = cached.get(key) ?? encoder.encode(build(key));
    cached.set(key, bytes);
    return bytes;
  };
}
