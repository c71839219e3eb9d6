import { ApiError, type Routes } from "#tests/support/cloudflare/routes.ts";

interface Binding {
  name: string;
  type: string;
  text?: string;
  id?: string;
  namespace_id?: string;
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
  async function upload(body: Buffer, type: string) {
    const form = await new Response(new Uint8Array(body), { headers: { "Content-Type": type } }).formData();
    const { bindings } = JSON.parse(await textOf(form.get("metadata"))) as { bindings: Binding[] };
    const inherited = (worker?.bindings ?? []).filter(
      (old) => old.type === "secret_text" && !bindings.some(({ name }) => name === old.name),
    );
    const version = crypto.randomUUID();
    worker = { domains: [], crons: [], ...worker, version, bindings: [...bindings, ...inherited] };
    return version;
  }

  const routes: Routes = [
    [
      /^GET \/workers\/scripts\/[^/]+\/secrets$/,
      () =>
        required()
          .bindings.filter(isSecret)
          .map(({ name, type }) => ({ name, type })),
    ],
    [
      /^GET \/workers\/services\/[^/]+$/,
      () => ({ default_environment: { environment: "production", script: { tag: required().version, tags: [] } } }),
    ],
    [/^GET \/workers\/scripts\/[^/]+\/settings$/, () => required()],
    [/^POST \/workers\/scripts\/[^/]+\/subdomain$/, (_, body) => JSON.parse(body.toString())],
    [/^GET \/workers\/workers\/[^/]+$/, () => ({ subdomain: { enabled: false, previews_enabled: false } })],
    [/^POST \/workers\/scripts\/[^/]+\/domains\/changeset$/, () => ({ added: [], updated: [], conflicting: [] })],
    [/^POST \/workers\/scripts\/[^/]+\/assets-upload-session$/, () => ({ jwt: "completed", buckets: [] })],
    [
      /^PUT \/workers\/scripts\/[^/]+$/,
      async (_, body, type) => ({ deployment_id: (await upload(body, type)).replaceAll("-", ""), tag: "t" }),
    ],
    [
      /^POST \/workers\/scripts\/[^/]+\/versions$/,
      async (_, body, type) => ({ id: await upload(body, type), resources: { script: { etag: "e" } } }),
    ],
    [/^GET \/workers\/scripts\/[^/]+\/deployments$/, () => ({ deployments: [], latest: required().version })],
    [/^POST \/workers\/scripts\/[^/]+\/deployments$/, () => ({ id: crypto.randomUUID() })],
    [/^PATCH \/workers\/scripts\/[^/]+\/script-settings$/, () => ({})],
    [
      /^PUT \/workers\/scripts\/[^/]+\/domains\/records$/,
      (_, body) => {
        const { origins } = JSON.parse(body.toString()) as { origins: { hostname: string }[] };
        required().domains = origins.map(({ hostname }) => hostname);
        return {};
      },
    ],
    [
      /^PUT \/workers\/scripts\/[^/]+\/schedules$/,
      (_, body) => {
        required().crons = (JSON.parse(body.toString()) as { cron: string }[]).map(({ cron }) => cron);
        return {};
      },
    ],
  ];
  return { routes, worker: () => worker };
}

function isSecret({ type }: Binding): boolean {
  return type === "secret_text";
}

async function textOf(part: FormDataEntryValue | null): Promise<string> {
  return part instanceof Blob ? part.text() : String(part);
}
