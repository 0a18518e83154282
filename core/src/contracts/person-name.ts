/*
 * Which signs the names of people have, in any script: O’Brien, d'Arc, Anne-Marie, Łukasz, محمد.
 * Beside letters and spaces these are hyphens, apostrophes as keyboards have them, full stops, the
 * middle dots of Catalan and Japanese, the geresh of Hebrew, and the joiners that Persian and
 * Indian scripts write between letters. The form of a new person takes letters and spaces alone, as
 * the specification says (`newUserForm`).
 */
const foreignSign = /[^\p{L}\p{M} .'‘’`´\u00b7\u30fb\u05f3\u05f4\u{2010}\u{2011}\u{200c}-\u{200d}-]/u;

/** Whether a text has only signs of names. The empty text and none do. */
export function isPersonName(text: string | undefined): boolean {
  return text === undefined || !foreignSign.test(text);
}

/** What a person is told about a name with other signs. */
export const notAName = (what: string): string =>
  `${what} should only contain letters, spaces, hyphens, apostrophes and full stops`;
