export function LargeLogo() {
  return <p>Stallwright</p>;
}
