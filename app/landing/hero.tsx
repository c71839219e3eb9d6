import { SignUpForm } from "#app/waitlist/sign-up-form.tsx";
export function Hero() {
  return (
    <section>
      <h1>Become a Pioneer</h1>
      <SignUpForm id="join" />
    </section>
  );
}
