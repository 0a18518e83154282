const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';
const symbols = '*&^%$#@!';

/** A random number below `limit`, each as likely as the others. */
function randomBelow(limit: number): number {
  const top = 2 ** 32 - (2 ** 32 % limit);
  for (;;) {
    const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
    if (number < top) return number % limit;
  }
}

const pick = (characters: string): string => characters.charAt(randomBelow(characters.length));

/**
 * A random password of 9 characters: letters, digits and the symbols * & ^ % $ # @ !, at least one
 * of each kind. It is meant to be changed at the first login.
 */
export function generatePassword(): string {
  const all = letters + digits + symbols;
  const chosen = [pick(letters), pick(digits), pick(symbols), ...Array.from({ length: 6 }, () => pick(all))];
  for (let last = chosen.length - 1; last > 0; last -= 1) {
    const other = randomBelow(last + 1);
    [chosen[last], chosen[other]] = [chosen[other] ?? '', chosen[last] ?? ''];
  }
  return chosen.join('');
}
