import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { updateProfile } from '@selvage/core/contracts/profile';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { api } from '../../lib/api.ts';
import { failureMessage } from '../../lib/api-error.ts';
import { useWords } from '../../lib/i18n.ts';
import { HOME } from '../../lib/landing.ts';
import { currentUserKey } from '../../lib/query-client.ts';
import { stillHere } from '../../lib/still-here.ts';
import { onboardingWords } from '../../words/onboarding.ts';
import { dropUnsaved } from './unsaved-input.ts';

/**
 * Ends the setup and goes on to the dashboard, or to where a link leads. The answer is the person
 * as they are now, which every screen then shows. It makes no difference when another window has
 * ended it already.
 */
export function useFinish({ _id: id }: CurrentUserDto) {
  const t = useWords(onboardingWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const finish = async (to: string = HOME): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    const isHere = stillHere();
    try {
      const user = await api(updateProfile, { params: { id }, body: { required_data: false } });
      dropUnsaved(id);
      // An answer that was on its way before must not begin the setup again
      await client.cancelQueries({ queryKey: currentUserKey });
      if (isHere()) void navigate(to);
      client.setQueryData(currentUserKey, user);
    } catch (error) {
      setFailure(failureMessage(error, t.finishFailed));
      setBusy(false);
    }
  };
  return { isBusy, failure, finish };
}
