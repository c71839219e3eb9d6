/**
 * The key and the size in the path of a picture on this site, which emails and pages know without a query; null if it is
 * none of a picture.
 */
export function readPicturePath(path: string): { key: string; width: number; height: number } | null {
  const found = /^\/pictures\/([0-9a-f]{32})-([1-9]\d{0,3})x([1-9]\d{0,3})\.(?:jpg|png|webp)$/.exec(path);
  if (found === null) return null;
  const [, key = "", width, height] = found;
  return { key, width: Number(width), height: Number(height) };
}
