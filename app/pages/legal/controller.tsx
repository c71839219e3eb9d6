/** Who is responsible for visitors' data. */
export interface Controller {
  name: string;
  address: string;
  email: string;
}

/** Name, address and mail of the controller, as Article 13 of the GDPR asks for. */
export function ControllerAddress({ controller: { name, address, email } }: { controller: Controller }) {
  return (
    <address className="policy-address">
      {name}
      <br />
      {address}
      <br />
      <a href={`mailto:${email}`}>{email}</a>
    </address>
  );
}
