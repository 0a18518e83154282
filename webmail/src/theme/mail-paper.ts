/**
 * Colours for the text of a mail, which is shown in a separate document that does not inherit the
 * page's custom properties. They are the colours of the two themes. Mail with its own styles has a
 * white background in both, and so has all printed mail.
 */
export const mailPaper = {
  paper: '#ffffff',
  ink: '#1d1c1a',
  quiet: '#5f5b53',
  hairline: '#e6e3dc',
  raised: '#efece6',
  link: '#2f3e9e',
};

export const darkMailPaper: typeof mailPaper = {
  paper: '#15171e',
  ink: '#e9e7e2',
  quiet: '#a6a39b',
  hairline: '#595d68',
  raised: '#22262f',
  link: '#9aa8ff',
};
