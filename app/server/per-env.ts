/** Wraps `create` so that it runs once for each object, such as `env`, which all requests of an isolate share. */
export function perEnv<Env extends object, Value>(create: (env: Env) => Value): (env: Env) => Value {
  const created = new WeakMap<Env, Value>();
  return (env) => {
    const value = created.get(env) ?? create(env);
    created.set(env, value);
    return value;
  };
}
