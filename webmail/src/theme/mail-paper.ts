/**
 * Colours of the text of a mail: it stands in a document of its own, which the page's custom
 * properties do not reach, on white paper in both themes. They are the light theme's.
 */
export const mailPaper = {
  paper: '#ffffff',
  ink: '#1d1c1a',
  quiet: '#5f5b53',
  hairline: '#e6e3dc',
  raised: '#efece6',
  link: '#2f3e9e',
} as const;
