declare module 'punycode/punycode.es6.js' {
  /** Turns the A-labels of a domain or an address into U-labels. @throws RangeError */
  export function toUnicode(input: string): string;
}
