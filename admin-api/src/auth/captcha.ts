import { randomBytes } from 'node:crypto';
import { invalid } from '@selvage/core/errors';
import type { App } from '@selvage/core/context/app';
import svgCaptcha from 'svg-captcha';

const LIFETIME_SECONDS = 300;
const key = (token: string) => `captcha:${token}`;

/** Draws letters to copy and keeps them for five minutes (D10). */
export async function createCaptcha(app: App): Promise<{ svg: string; token: string }> {
  const drawn = svgCaptcha.create({ size: 5, ignoreChars: '0Oo1Iil5S', noise: 2, width: 160, height: 56 });
  const token = randomBytes(24).toString('base64url');
  await app.redis.set(key(token), drawn.text, 'EX', LIFETIME_SECONDS);
  return { svg: drawn.data, token };
}

/**
 * Checks an answer. Right or wrong, the captcha is used up.
 * @throws 422
 */
export async function checkCaptcha(app: App, token: string | undefined, answer: string | undefined): Promise<void> {
  if (!token || !answer?.trim()) throw invalid({ captcha_text: 'CAPTCHA is required' }, 'CAPTCHA is required');
  const expected = await app.redis.getdel(key(token));
  if (!expected || expected.toLowerCase() !== answer.trim().toLowerCase()) {
    throw invalid({ captcha_text: 'The CAPTCHA is wrong or has expired' }, 'The CAPTCHA is wrong or has expired');
  }
}
