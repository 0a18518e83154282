/**
 * Whether a text can be a record's id: a positive integer below 2^63. The browser asks as well, and
 * this module brings no zod along.
 */
export function isId(text: string): boolean {
  return /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= 9223372036854775807n;
}
