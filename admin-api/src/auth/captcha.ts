import { randomBytes } from 'node:crypto';
import { networkOf } from '@selvage/core/access/network-of';
import { invalid, notFound } from '@selvage/core/errors';
import type { App } from '@selvage/core/context/app';
import type { Ctx } from '@selvage/core/context/context';
import svgCaptcha from 'svg-captcha';
import { speakLetters } from './speak-letters.ts';
import { type Count, countAttempt, refuseAnyOverLimit, rules } from './throttle.ts';

const lifetimeSeconds = 300;
/** Letters that are easily taken for others. */
export const ignoredLetters = '0Oo1Iil5S';

const key = (token: string) => `captcha:${token}`;

/** Draws the letters of a captcha and stores them for five minutes (D10). */
export async function createCaptcha(app: App): Promise<{ svg: string; token: string }> {
  const drawn = svgCaptcha.create({ size: 5, ignoreChars: ignoredLetters, noise: 2, width: 160, height: 56 });
  const token = randomBytes(24).toString('base64url');
  await app.redis.set(key(token), drawn.text, 'EX', lifetimeSeconds);
  return { svg: drawn.data, token };
}

/**
 * The letters of a captcha as a WAV file. The captcha stays as good as it was.
 * @throws 404 when it was used, has expired or never was
 */
export async function speakCaptcha(app: App, token: string): Promise<Buffer> {
  const text = await app.redis.get(key(token));
  if (text === null) throw notFound('captcha', 'These letters are no longer valid. Ask for a new picture.');
  return await speakLetters(text);
}

/** A captcha token and the letters that the caller typed. */
interface Solved {
  token: string | undefined;
  text: string | undefined;
}

/**
 * Checks an answer. Right or wrong, the captcha can't be used again. Only wrong answers count
 * towards a limit, so callers who solve none do not block other callers in the same network.
 * @param counts what the caller counts afterwards. When one of them is at its limit the captcha is
 *   not used up: the web app waits a few seconds and makes the same call again.
 * @throws 422, 429
 */
export async function checkCaptcha(ctx: Ctx, solved: Solved, counts: readonly Count[]): Promise<void> {
  await refuseAnyOverLimit(ctx.app, counts);
  const problem = await problemOf(ctx.app, solved);
  if (problem === null) return;
  await countAttempt(ctx.app, rules.wrongCaptcha, networkOf(ctx.address));
  throw invalid({ captcha_text: problem }, problem);
}

async function problemOf(app: App, { token, text }: Solved): Promise<string | null> {
  const answer = text?.trim().toLowerCase();
  if (!token || !answer) return 'CAPTCHA is required';
  const expected = await app.redis.getdel(key(token));
  return expected?.toLowerCase() === answer ? null : 'The CAPTCHA is wrong or has expired';
}
