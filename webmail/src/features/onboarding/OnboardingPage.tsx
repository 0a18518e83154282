import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { LoadError } from '../../components/page/LoadError.tsx';
import { currentUserQuery } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { HOME } from '../../lib/landing.ts';
import { nameTab } from '../../lib/tab-title.ts';
import { onboardingWords } from '../../words/onboarding.ts';
import { CompanyStep } from './CompanyStep.tsx';
import { DomainStep } from './DomainStep.tsx';
import { FinishStep } from './FinishStep.tsx';
import { OnboardingFrame } from './OnboardingFrame.tsx';
import { PeopleStep } from './PeopleStep.tsx';
import { type StepNumber, stepToShow } from './step-of.ts';
import { type Progress, useProgress } from './use-progress.ts';

/** The setup of a new company (D56), as /required_data?step=1..4. */
export default function OnboardingPage() {
  const { data: user, error, refetch } = useQuery(currentUserQuery);
  if (user) return <Needed user={user} />;
  return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <PageSpinner />;
}

/**
 * A person that needs no setup goes home. When it is finished in another window meanwhile, this
 * one stays with what is typed in it.
 */
function Needed({ user }: { user: CurrentUserDto }) {
  const [wasNeeded] = useState(user.required_data);
  if (!wasNeeded) return <Navigate to={HOME} replace />;
  return <Wizard user={user} />;
}

function Wizard({ user }: { user: CurrentUserDto }) {
  const { progress, error, retry } = useProgress(user);
  if (progress) return <Steps progress={progress} />;
  return (
    <OnboardingFrame user={user}>
      {error ? <LoadError error={error} onRetry={retry} /> : <PageSpinner />}
    </OnboardingFrame>
  );
}

const parts: Record<StepNumber, ComponentType<{ progress: Progress }>> = {
  1: CompanyStep,
  2: DomainStep,
  3: PeopleStep,
  4: FinishStep,
};

function Steps({ progress }: { progress: Progress }) {
  const t = useWords(onboardingWords);
  const [search] = useSearchParams();
  const asked = search.get('step');
  const step = stepToShow(asked, progress.done);
  const title = t.tabTitle({ step, title: t[`title${step}`] });
  useEffect(() => {
    nameTab(`${title} · Selvage`);
  }, [title]);
  const Part = parts[step];
  return (
    <>
      {asked !== String(step) && <Navigate to={{ search: `?step=${step}` }} replace />}
      <Part key={step} progress={progress} />
    </>
  );
}
