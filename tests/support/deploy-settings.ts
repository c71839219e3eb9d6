/** The lines of a `deploy.env` with every required setting and the key of an email provider. */
export const deploySettings = `SITE_URL=https://market.test
CONTACT_EMAIL=hello@market.test
CONTROLLER_NAME="Ada Maker"
CONTROLLER_ADDRESS="1 Market Square, Town"
RESEND_API_KEY=re_for_this_test
`;
