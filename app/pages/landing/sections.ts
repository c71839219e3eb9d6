/** What the landing page shows besides the invitation and its form. `false` switches a part off. */
export const sections = {
  largeLogo: true,
  /** The drawing of the market below the invitation. */
  drawing: true,
  benefits: true,
  product: true,
  features: true,
  waysToHelp: true,
  blog: true,
};
