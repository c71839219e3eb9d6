const encoder = new TextEncoder();

/** Texts that are written and encoded once for each key, of which there must be few. */
export function encodedOnce(write: (key: string) => string): (key: string) => Uint8Array {
  const written = new Map<string, Uint8Array>();
  return (key) => {
    const text = written.get(key) ?? encoder.encode(write(key));
    written.set(key, text);
    return text;
  };
}
