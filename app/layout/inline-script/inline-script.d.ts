/** A module bundled as text; see vite/inline-script.ts. */
declare module "*?inline-script" {
  const text: string;
  export default text;
  export const version: string;
}
