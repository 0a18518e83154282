/** What the document of an empty message is made of; a test sets what it is about. */
export const emptyMail = {
  html: '',
  sheet: '',
  imagesPath: null,
  origin: 'https://mail.test',
  look: 'simple' as const,
  isForward: false,
};

/** The page that a browser makes of the source. */
export function pageOf(source: string): Document {
  return new DOMParser().parseFromString(source, 'text/html');
}
