import { parse } from 'bowser';

/** A device in words, from the line that its browser sent: "Chrome on Windows". */
export function deviceInWords(userAgent: string): string {
  if (!userAgent) return 'Unknown device';
  const { browser, os } = parse(userAgent);
  const words = [browser.name, os.name].filter(Boolean).join(' on ');
  // a program that is no browser says in its first word what it is
  return words || userAgent.split(/[\s/]/)[0] || 'Unknown device';
}
