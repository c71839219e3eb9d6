import { ownersBy, saveSettings } from "#app/features/settings/save-settings.server.ts";
import { readRow, SETTINGS_PATH } from "#app/features/settings/settings.server.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { ChoiceField } from "#app/owner/ui/field.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { mergeSettings, type NotificationOff, type StoredSettings } from "#app/server/config/settings.server.ts";
import { identifyOwners } from "#app/server/owners.server.ts";

const PATH = `${SETTINGS_PATH}/notifications`;

const kinds = {
  digest: "Daily digest: how many people joined, on days when someone did",
  alert: "Alerts, at most hourly: emails that fail or wait, letters that paused, blocked attempts, rewards to give",
};

const shortNames = { digest: "daily digest", alert: "alerts" };

const kindNames = Object.keys(kinds) as (keyof typeof kinds)[];

export async function showNotifications(c: OwnerContext) {
  const { stored } = await readRow(c.var.app.db);
  const off = offIn(c, stored);
  const owners = await identifyOwners(ownersBy(c, stored));
  const getsNoAlert = owners.every(({ id }) => off.includes(`alert:${id}`));
  return c.render(
    <Page title="Notifications" section="settings" back={{ href: SETTINGS_PATH, name: "All settings" }}>
      <Outcome />
      <p className="lead">
        Which emails you get. Each owner chooses for themselves. Sign-in links, emails about changed settings and the
        warning that the database’s daily quota is used up always come.
      </p>
      <form className="form narrow" method="post" action={PATH}>
        <ChoiceField
          name="get"
          legend={`Emails to ${c.var.owner.email}`}
          type="checkbox"
          options={kinds}
          value={wantedBy(c.var.owner.id, off)}
        />
        <Button label="Save" value="save" />
      </form>
      <Section id="all" title="All owners">
        {getsNoAlert ? (
          <p>No one gets alerts. Look at the overview now and then: it says what needs attention.</p>
        ) : null}
        <Table
          className="cards plain"
          labelledBy="all"
          columns={[
            { name: "Owner", kind: "words", cell: ({ email }) => email },
            { name: "Gets", cell: ({ id }) => inWords(wantedBy(id, off)) },
          ]}
          rows={owners}
          rowKey={({ id }) => id}
        />
      </Section>
    </Page>,
  );
}

/** Changes only the notifications of the owner who is signed in. */
export async function saveNotifications(c: OwnerContext): Promise<Response> {
  const { app, owner, form } = c.var;
  const row = await readRow(app.db);
  const off = offIn(c, row.stored);
  const unwanted = kindNames.filter((kind) => !form.getAll("get").includes(kind));
  const next = [
    ...off.filter((one) => !one.endsWith(`:${owner.id}`)),
    ...unwanted.map((kind): NotificationOff => `${kind}:${owner.id}`),
  ];
  const [from, to] = [wantedBy(owner.id, off), wantedBy(owner.id, next)].map(inWords);
  if (from === undefined || to === undefined || from === to) return c.redirect(`${PATH}?done=unchanged`, 303);
  const isSaved = await saveSettings(c, row, {
    path: PATH,
    present: [],
    typed: [],
    values: { NOTIFICATIONS_OFF: next.join(",") || null },
    changes: [{ name: "NOTIFICATIONS_OFF", label: `Notifications to ${owner.email}`, from, to }],
  });
  return isSaved ? c.redirect(`${PATH}?done=settings-saved`, 303) : saveNotifications(c);
}

function offIn(c: OwnerContext, stored: StoredSettings): readonly NotificationOff[] {
  return mergeSettings(c.env, stored).settings.notificationsOff;
}

function wantedBy(ownerId: string, off: readonly NotificationOff[]) {
  return kindNames.filter((kind) => !off.includes(`${kind}:${ownerId}`));
}

/** `Daily digest, alerts` */
function inWords(wanted: readonly (keyof typeof kinds)[]): string {
  const text = wanted.map((kind) => shortNames[kind]).join(", ") || "none of them";
  return text.charAt(0).toUpperCase() + text.slice(1);
}
