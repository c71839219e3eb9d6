/** Placeholder for the button that shares this site. */
export function ShareButton() {
  return (
    <button className="button button-quiet" type="button">
      Share
    </button>
  );
}
