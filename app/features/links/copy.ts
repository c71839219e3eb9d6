/* The script of a link's page: a button that copies the address. Without it, a click selects the address as a whole. */

const button = document.querySelector<HTMLButtonElement>("button[data-copy]");
const outcome = document.querySelector("[data-copied]");

if (button !== null && outcome !== null && "clipboard" in navigator) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(button.dataset["copy"] ?? "");
      outcome.textContent = "Copied";
    } catch {
      outcome.textContent = "Your browser refused. Select the address and copy it.";
    }
  });
}
