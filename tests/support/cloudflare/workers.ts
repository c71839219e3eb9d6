import { ApiError, type Routes } from "#tests/support/cloudflare/routes.ts";

interface Binding extends Partial<Record<"text" | "id" | "namespace_id", string>> {
  name: string;
  type: string;
}

export interface DeployedWorker {
  version: string;
  bindings: Binding[];
  domains: string[];
  crons: string[];
}

/** Fake of the API that `wrangler deploy` uses, for one Worker. */
export function workers() {
  let worker: DeployedWorker | null = null;

  function required(): DeployedWorker {
    if (worker === null) throw new ApiError(404, 10007, "This Worker does not exist on your account.");
    return worker;
  }

  /** Like Cloudflare, preserves secrets that the upload does not name. */
  function upload(form: FormData): string {
    const { bindings }: { bindings: Binding[] } = JSON.parse(String(form.get("metadata")));
    const isNew = ({ name }: Binding) => !bindings.some((binding) => binding.name === name);
    const inherited = (worker?.bindings ?? []).filter((old) => isSecret(old) && isNew(old));
    const version = crypto.randomUUID();
    worker = { domains: [], crons: [], ...worker, version, bindings: [...bindings, ...inherited] };
    return version;
  }

  const script = "/workers/scripts/:name";
  const routes: Routes = {
    "GET /workers/workers/:name": () => ({ subdomain: { enabled: false, previews_enabled: false } }),
    "GET /workers/services/:name": () => ({
      default_environment: { environment: "production", script: { tag: required().version, tags: [] } },
    }),
    [`GET ${script}/secrets`]: () => {
      const secrets = required().bindings.filter(isSecret);
      return secrets.map(({ name, type }) => ({ name, type }));
    },
    [`GET ${script}/settings`]: required,
    [`POST ${script}/subdomain`]: ({ body }) => body,
    [`POST ${script}/domains/changeset`]: () => ({ added: [], updated: [], conflicting: [] }),
    [`POST ${script}/assets-upload-session`]: () => ({ jwt: "completed", buckets: [] }),
    [`PUT ${script}`]: async ({ form }) => ({ deployment_id: upload(await form()).replaceAll("-", ""), tag: "t" }),
    [`POST ${script}/versions`]: async ({ form }) => ({
      id: upload(await form()),
      resources: { script: { etag: "e" } },
    }),
    [`GET ${script}/deployments`]: () => ({ deployments: [], latest: required().version }),
    [`POST ${script}/deployments`]: () => ({ id: crypto.randomUUID() }),
    [`PATCH ${script}/script-settings`]: () => ({}),
    [`PUT ${script}/domains/records`]({ body }) {
      required().domains = body.origins.map(({ hostname }: { hostname: string }) => hostname);
      return {};
    },
    [`PUT ${script}/schedules`]({ body }) {
      required().crons = body.map(({ cron }: { cron: string }) => cron);
      return {};
    },
  };
  return { routes, worker: () => worker };
}

const isSecret = ({ type }: Binding) => type === "secret_text";
