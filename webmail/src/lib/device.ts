import { parse } from 'bowser';
import { deviceWords } from '../words/device.ts';
import { wordsOf } from './i18n.ts';

/** A device in words, from the line that its browser sent: "Chrome on Windows". */
export function deviceInWords(userAgent: string): string {
  const t = wordsOf(deviceWords);
  if (!userAgent) return t.unknown;
  const { browser, os } = parse(userAgent);
  if (browser.name && os.name) return t.browserOn({ browser: browser.name, system: os.name });
  // A program that is not a browser names itself in its first word
  return browser.name || os.name || userAgent.split(/[\s/]/)[0] || t.unknown;
}
