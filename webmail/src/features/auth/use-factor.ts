import { type RefObject, useRef, useState } from 'react';
import { notify } from '../../components/feedback/notify.ts';
import { ApiError } from '../../lib/api-error.ts';
import { askForPasskey, mailRecoveryCode, proveByApp, proveByMail, proveByRecoveryCode, type Step } from './queries.ts';
import type { Outcome, SecondFactor } from './use-sign-in.ts';

const NOT_SIX_DIGITS = 'Please enter a valid 6-digit OTP.';
const NO_PASSKEY = 'The passkey was not used. Try again or choose another way.';

interface Options {
  email: string;
  first: SecondFactor;
  onProve: (step: Step) => Promise<Outcome>;
}

export interface Factor {
  way: SecondFactor;
  choose: (way: SecondFactor) => void;
  value: string;
  change: (value: string) => void;
  /** The code is on its way to the recovery address. */
  isSent: boolean;
  isBusy: boolean;
  /** What is wrong before anything is sent. */
  problem: string | null;
  inputRef: RefObject<HTMLInputElement | null>;
  submit: (value?: string) => Promise<void>;
  mailCode: () => Promise<void>;
}

/** The way a person proves themselves, what they typed for it, and the step that comes of it. */
export function useFactor({ email, first, onProve }: Options): Factor {
  const [way, setWay] = useState(first);
  const [value, setValue] = useState('');
  const [isSent, setSent] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const inputRef = useRef<HTMLInputElement>(null);

  const prove = async (step: Step): Promise<Outcome> => {
    const outcome = await onProve(step);
    if (outcome === 'wrong') {
      setValue('');
      inputRef.current?.focus();
    }
    return outcome;
  };

  /** Does what comes before a step; when the server refuses it, the sign-in hears of it as of a step. */
  const prepare = async <T>(work: () => Promise<T>): Promise<T | null> => {
    setBusy(true);
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError) await onProve(() => Promise.reject(error));
      else setProblem(NO_PASSKEY);
      return null;
    } finally {
      setBusy(false);
    }
  };

  const mailCode = async (): Promise<void> => {
    const isDone = await prepare(async () => {
      await mailRecoveryCode();
      return true;
    });
    if (isDone) setSent(true);
  };

  const submit = async (typed = value): Promise<void> => {
    setProblem(null);
    if (way === 'passkey') {
      const step = await prepare(askForPasskey);
      if (step) await prove(step);
    } else if (way === 'recovery_email' && !isSent) {
      await mailCode();
    } else if (way === 'recovery_code') {
      if (!typed.trim()) return setProblem('Please enter a recovery code.');
      const outcome = await prove(() => proveByRecoveryCode(email, typed.trim()));
      if (outcome === 'taken') notify.info('That recovery code is used up. New ones are in the account settings.');
    } else if (!/^\d{6}$/.test(typed)) {
      setProblem(NOT_SIX_DIGITS);
      inputRef.current?.focus();
    } else if (way === 'totp') {
      await prove(() => proveByApp(email, typed));
    } else {
      const outcome = await prove(() => proveByMail(typed));
      if (outcome === 'taken')
        notify.info('Two-factor authentication is off. Turn it on again in the account settings.');
    }
  };

  const choose = (next: SecondFactor): void => {
    setWay(next);
    setValue('');
    setProblem(null);
  };
  const change = (next: string): void => {
    setValue(next);
    setProblem(null);
  };
  return { way, choose, value, change, isSent, isBusy, problem, inputRef, submit, mailCode };
}
