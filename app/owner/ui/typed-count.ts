/** Whether a text is a number, as people type it to confirm: `1,234`, `1234` or `1 234`. */
export function isTypedCount(typed: string, count: number): boolean {
  return typed.replace(/[,. ]/g, "") === String(count);
}
