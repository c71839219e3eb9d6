/* The script of a link's page: a button that copies the address. Without it, a click selects the address as a whole. */

const place = document.querySelector<HTMLElement>("[data-copy]");

if (place !== null && "clipboard" in navigator) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button";
  button.textContent = "Copy the address";
  const outcome = document.createElement("span");
  outcome.role = "status";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(place.dataset["copy"] ?? "");
      outcome.textContent = "Copied";
    } catch {
      outcome.textContent = "Your browser refused. Select the address and copy it.";
    }
  });
  for (const element of [button, outcome]) place.appendChild(element);
}
