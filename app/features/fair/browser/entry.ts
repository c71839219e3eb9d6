import { currentDevice, readDevices } from "#app/features/fair/browser/devices.ts";
import { storeSignUp } from "#app/features/fair/browser/sign-ups.ts";
import { element, setText } from "#app/features/fair/browser/views.ts";
import type { SignUpContent } from "#app/features/fair/protocol.ts";
import { isInternational, normaliseEmail } from "#app/server/email-address.ts";
import type { Millis } from "#app/server/time/units.ts";
import { INVALID_EMAIL } from "#app/waitlist/sign-up/messages.ts";
import { suggestAddress } from "#app/waitlist/sign-up/suggest-address.ts";

/* The form: what is typed, what is wrong with it, and storing it. */

const NOT_STORED =
  "This tablet couldn’t save your address, so you’re not signed up yet. Please ask someone at the stall for help.";

const form = element<HTMLFormElement>("form");
const email = element<HTMLInputElement>("email");
const privacy = element<HTMLDialogElement>("privacy");

/** How long something may stand in the form untouched, so that the next person does not read it. */
const FORGET_AFTER: Millis = 120_000;

/** How long the privacy notice may stay open over an empty form: the next person wants the form. */
const PRIVACY_OPEN_FOR: Millis = 60_000;

let isStoring = false;
/** An address that the person has confirmed, although its domain looks misspelt. */
let confirmed = "";
let forgetTimer: ReturnType<typeof setTimeout> | undefined;
let closeTimer: ReturnType<typeof setTimeout> | undefined;

interface Listeners {
  /** @param hasEmail false if our emails cannot reach the address */
  onStored: (hasEmail: boolean) => void;
  onCleared: () => void;
}

export function startEntry({ onStored, onCleared }: Listeners): void {
  const forget = () => {
    clearTimeout(forgetTimer);
    forgetTimer = setTimeout(() => {
      if (!isEmpty()) clearEntry();
      onCleared();
    }, FORGET_AFTER);
  };
  form.addEventListener("input", forget);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit(onStored);
  });
  element("use-suggestion").addEventListener("click", () => {
    email.value = suggestAddress(email.value) ?? email.value;
    void submit(onStored);
  });
  element("keep-typed").addEventListener("click", () => {
    confirmed = email.value;
    void submit(onStored);
  });
  email.addEventListener("input", () => showProblem(""));
  element("open-privacy").addEventListener("click", () => {
    privacy.showModal();
    clearTimeout(closeTimer);
    closeTimer = setTimeout(() => {
      if (isEmpty()) privacy.close();
    }, PRIVACY_OPEN_FOR);
  });
}

/** Empties the form, and gives the fields new names, by which browsers would remember what was typed. */
export function clearEntry(): void {
  form.reset();
  clearTimeout(forgetTimer);
  confirmed = "";
  email.name = crypto.randomUUID();
  showProblem("");
  showSuggestion("", "");
  privacy.close();
}

/** Whether nothing is typed, chosen or being stored. */
export function isEmpty(): boolean {
  return !isStoring && email.value === "" && Object.keys(answers()).length === 0;
}

async function submit(onStored: Listeners["onStored"]): Promise<void> {
  if (isStoring) return;
  const address = normaliseEmail(email.value);
  if (address === null) return showProblem(INVALID_EMAIL, true);
  const suggestion = suggestAddress(email.value);
  if (suggestion !== undefined && confirmed !== email.value) return ask(suggestion, address);
  isStoring = true;
  try {
    await store({ email: address, answers: answers() });
  } catch {
    return showProblem(NOT_STORED);
  } finally {
    isStoring = false;
  }
  clearEntry();
  onStored(!isInternational(address));
}

/** If another page sets the tablet up for another event meanwhile, the sign-up is stored for that event. */
async function store(content: SignUpContent): Promise<void> {
  for (let isStored = false; !isStored; ) {
    const device = currentDevice(await readDevices());
    if (device === undefined || device.state === "closed" || device.hasEnded) throw new Error("The form is closed");
    isStored = await storeSignUp(device, form.dataset["consent"] ?? "", content);
  }
}

/** @param isAddress whether it is the address that is wrong */
function showProblem(problem: string, isAddress = false): void {
  element("suggestion").hidden = true;
  setText("problem", problem);
  if (isAddress) email.setAttribute("aria-invalid", "true");
  else email.removeAttribute("aria-invalid");
  if (isAddress) email.focus();
  else if (problem !== "") element("problem").scrollIntoView({ block: "nearest" });
}

/** Asks about a misspelt domain before the address is stored: nobody can correct it later. */
function ask(suggestion: string, address: string): void {
  showProblem("");
  showSuggestion(suggestion, address);
  element("suggestion").hidden = false;
  element("use-suggestion").focus();
}

function showSuggestion(suggestion: string, address: string): void {
  element("suggested").textContent = suggestion;
  element("typed").textContent = address;
}

function answers(): Record<string, string> {
  const fields = Array.from(new FormData(form)).filter(
    (field): field is [string, string] => field[0] !== email.name && typeof field[1] === "string",
  );
  return Object.fromEntries(fields.flatMap(([key, answer]) => (answer.trim() === "" ? [] : [[key, answer.trim()]])));
}
