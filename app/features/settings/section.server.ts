import { refuseLargeForm, saveGroup, showGroup } from "#app/features/settings/group-page.server.tsx";
import { groups, type SettingGroup } from "#app/features/settings/groups.ts";
import { saveNotifications, showNotifications } from "#app/features/settings/notifications-page.server.tsx";
import { changeOwners, showOwners } from "#app/features/settings/owners-page.server.tsx";
import { MAX_PHOTO_FORM } from "#app/features/settings/photo-field.server.tsx";
import { saveQuestions, showQuestions } from "#app/features/settings/questions/questions-page.server.tsx";
import { saveRewards, showRewards } from "#app/features/settings/rewards-page.server.tsx";
import styles from "#app/features/settings/settings.css?url";
import { SETTINGS_PATH } from "#app/features/settings/settings.server.ts";
import { showSettings } from "#app/features/settings/settings-page.server.tsx";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";
import { referrals } from "#app/switches.ts";

/** Five questions with eight answers each, of letters that take up to four bytes and are escaped. */
const MAX_QUESTIONS_BYTES = 65_536;

export const settingsSection: OwnerSection = {
  section: "settings",
  styles,
  link: { href: "/owner/settings", name: "Settings", group: "Settings" },
  routes: [
    { method: "get", path: "/settings", handler: showSettings },
    { method: "get", path: "/settings/launch", handler: showGroup(groups.launch) },
    { method: "post", path: "/settings/launch", handler: saveGroup(groups.launch) },
    { method: "get", path: "/settings/founder", handler: showGroup(groups.founder) },
    { method: "post", path: "/settings/founder", handler: saveGroup(groups.founder), ...photoForm(groups.founder) },
    { method: "get", path: "/settings/sign-ups", handler: showGroup(groups.signUps) },
    { method: "post", path: "/settings/sign-ups", handler: saveGroup(groups.signUps) },
    { method: "get", path: "/settings/contact", handler: showGroup(groups.contact) },
    { method: "post", path: "/settings/contact", handler: saveGroup(groups.contact) },
    { method: "get", path: "/settings/emails-and-time", handler: showGroup(groups.emailsAndTime) },
    { method: "post", path: "/settings/emails-and-time", handler: saveGroup(groups.emailsAndTime) },
    { method: "get", path: "/settings/links", handler: showGroup(groups.links) },
    { method: "post", path: "/settings/links", handler: saveGroup(groups.links) },
    { method: "get", path: "/settings/questions", handler: showQuestions },
    { method: "post", path: "/settings/questions", handler: saveQuestions, maxBody: MAX_QUESTIONS_BYTES },
    ...(referrals
      ? [
          { method: "get" as const, path: "/settings/rewards", handler: showRewards },
          { method: "post" as const, path: "/settings/rewards", handler: saveRewards },
        ]
      : []),
    { method: "get", path: "/settings/owners", handler: (c) => showOwners(c) },
    { method: "post", path: "/settings/owners", handler: changeOwners },
    { method: "get", path: "/settings/notifications", handler: showNotifications },
    { method: "post", path: "/settings/notifications", handler: saveNotifications },
  ],
  changes: {
    launch: `${SETTINGS_PATH}/launch`,
    founder: `${SETTINGS_PATH}/founder`,
    contact: `${SETTINGS_PATH}/contact`,
    links: `${SETTINGS_PATH}/links`,
    "sign-ups": `${SETTINGS_PATH}/sign-ups`,
    emails: `${SETTINGS_PATH}/emails-and-time`,
    ...(referrals ? { rewards: `${SETTINGS_PATH}/rewards` as const } : {}),
  },
  outcomes: {
    "settings-saved": "Saved. Every page has it within a minute.",
    "owners-changed": "Done. Everyone who is or was an owner gets an email about it.",
    "last-owner": "The last owner cannot be removed. Nothing was changed.",
    "owner-signed-out": "Signed out in every browser.",
    "one-by-one": "Owners are added and removed one by one. Nothing was changed.",
  },
};

function photoForm(group: SettingGroup) {
  return { maxBody: MAX_PHOTO_FORM, tooLarge: refuseLargeForm(group) };
}
