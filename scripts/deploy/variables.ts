import { type Config, variables } from "#app/server/config.server.ts";

export function isVariable(name: string): name is keyof Config {
  return Object.hasOwn(variables, name);
}

export function isSecret(name: string): boolean {
  return isVariable(name) && variables[name].secret === true;
}
