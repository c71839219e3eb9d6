export function keepScreenOn(): void {
  const request = async () => {
    if (document.visibilityState !== "visible") return;
    // Refused when the battery is low; a browser without it ignores the wish.
    await navigator.wakeLock?.request("screen").catch(() => {});
  };
  // The browser releases the lock whenever the page is hidden.
  document.addEventListener("visibilitychange", request);
  void request();
}
