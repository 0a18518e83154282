import { ApiError, failureMessage } from '../../lib/api-error.ts';
import { wordsOf } from '../../lib/i18n.ts';
import type { Problems } from '../../lib/problems.ts';
import { onboardingWords } from '../../words/onboarding.ts';
import { dayOfText } from './day-text.ts';

/** What is wrong with a typed day. */
export function checkDay(expiry: string): Problems {
  const t = wordsOf(onboardingWords);
  if (expiry.trim() === '') return { expiry: t.expiryMissing };
  return dayOfText(expiry) === null ? { expiry: t.expiryWrong } : {};
}

/**
 * Says what failed where the server says only why. Without an answer it is not known whether the
 * domain was changed.
 */
export function asDomainFailure(error: unknown): never {
  const t = wordsOf(onboardingWords);
  if (!(error instanceof ApiError)) throw new Error(t.setupFailed, { cause: error });
  if (error.status >= 400 && error.status < 500) throw error;
  throw new Error(failureMessage(error, error.status === 0 ? t.setupFailed : t.domainFailed), { cause: error });
}
