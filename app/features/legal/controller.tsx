/** The data controller, in GDPR terms. */
export interface Controller {
  name: string;
  address: string;
  email: string;
}

/** The controller's contact details, required by Article 13 of the GDPR. */
export function ControllerAddress({ controller: { name, address, email } }: { controller: Controller }) {
  return (
    <address className="policy-address">
      <span>{name}</span>
      <br />
      <span>{address}</span>
      <br />
      <a className="quiet-link" href={`mailto:${email}`}>
        {email}
      </a>
    </address>
  );
}
