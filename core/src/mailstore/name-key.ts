/**
 * The form in which the name of a label or a signature is compared: two names are the same if they
 * differ only in capitals or in the Unicode form of their letters. It fits its column.
 */
export function nameKeyOf(name: string): string {
  return name.normalize('NFKC').toLowerCase().slice(0, 255).toWellFormed();
}
