// Without letters and digits that look alike, since it may be read aloud or copied by hand
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const groups = 4;
const groupLength = 4;

/** A random password of 16 characters in groups, about 92 bits. */
export function generatePassword(): string {
  const group = () => Array.from({ length: groupLength }, randomCharacter).join('');
  return Array.from({ length: groups }, group).join('-');
}

/** Each character is as likely as any other: numbers of the incomplete last round are drawn again. */
function randomCharacter(): string {
  const limit = 256 - (256 % alphabet.length);
  for (;;) {
    const [number = 0] = crypto.getRandomValues(new Uint8Array(1));
    if (number < limit) return alphabet[number % alphabet.length] ?? '';
  }
}
