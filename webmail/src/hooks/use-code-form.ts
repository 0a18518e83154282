import { ApiError } from '../lib/api-error.ts';
import { wordsOf } from '../lib/i18n.ts';
import type { Problems } from '../lib/problems.ts';
import { codeWords } from '../words/codes.ts';
import { type Form, useForm } from './use-form.ts';

const SIX_DIGITS = /^\d{6}$/;

interface Options<R> {
  /** Sends the code. */
  submit: (code: string) => Promise<R>;
  onDone?: (result: R) => void;
}

function isWrongCode(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'wrong_code' || 'otp' in error.fields);
}

/** The form of a six-digit code. A wrong code is emptied, to be typed anew. */
export function useCodeForm<R>({ submit, onDone }: Options<R>): Form<{ otp: string }> {
  return useForm({
    start: { otp: '' },
    check: ({ otp }): Problems => (SIX_DIGITS.test(otp) ? {} : { otp: wordsOf(codeWords).notSixDigits }),
    submit: ({ otp }) => submit(otp),
    onDone: (result) => onDone?.(result),
    onFailed: (error) => (isWrongCode(error) ? { otp: '' } : undefined),
    failureField: 'otp',
  });
}

/** The form of a recovery code, which looks like a word and is corrected rather than typed anew. */
export function useRecoveryCodeForm<R>({ submit, onDone }: Options<R>): Form<{ recovery_code: string }> {
  return useForm({
    start: { recovery_code: '' },
    check: ({ recovery_code: code }): Problems =>
      code.trim() ? {} : { recovery_code: wordsOf(codeWords).recoveryCodeRequired },
    submit: ({ recovery_code: code }) => submit(code.trim()),
    onDone: (result) => onDone?.(result),
    failureField: 'recovery_code',
  });
}
