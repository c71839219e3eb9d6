/** A module bundled as text; see scripts/lib/inline-script.ts. */
declare module "*?inline-script" {
  const text: string;
  export default text;
}
