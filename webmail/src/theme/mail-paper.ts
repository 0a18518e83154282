/**
 * Colours of the text of a mail: it stands in a document of its own, which the page's custom
 * properties do not reach. They are those of the two themes. Mail that brings its own look stands
 * on white in both, and so does all that is printed.
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
