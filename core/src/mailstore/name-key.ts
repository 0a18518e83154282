/**
 * The form in which the name of a label or a signature is compared: two names are the same if they
 * differ only in capitals or in the Unicode form of their letters. It fits its column. The name is
 * cut first: putting many accents into order takes quadratic time.
 */
export function nameKeyOf(name: string): string {
  return name.slice(0, 255).normalize('NFKC').toLowerCase().slice(0, 255).toWellFormed();
}
