/** Without it about 3 in 100 early calls of `process.exit()` never end: https://github.com/nodejs/node/issues/54918 */
export const nodeFlags = ["--no-concurrent-sparkplug"];
