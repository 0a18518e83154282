/**
 * Whether a text can be a record's id: a positive integer below 2^63. The browser uses it as well,
 * so this module must not load zod.
 */
export function isId(text: string): boolean {
  return /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= 9223372036854775807n;
}
