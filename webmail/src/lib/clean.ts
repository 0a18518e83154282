/** What is kept of a name that is typed or pasted: letters of any script, and spaces. */
export function cleanName(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M} ]/gu, '');
}

/** What is kept of a username: lower-case letters, digits, dots, underscores and hyphens. */
function cleanUsername(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9._-]/g, '');
}

/** How a field takes a username. */
export const asUsername = { maxLength: 64, autoCapitalize: 'none', spellCheck: false, clean: cleanUsername } as const;

/**
 * What is kept of a phone number: ten digits. Of a number that is pasted with a country code, such
 * as +91, these are the last ten.
 */
export function cleanPhone(text: string): string {
  const digits = cleanDigits(text);
  return text.trimStart().startsWith('+') ? digits.slice(-10) : digits.slice(0, 10);
}

/** What is kept of a number or a code: its digits. */
export function cleanDigits(text: string): string {
  return text.replaceAll(/\D/g, '');
}
