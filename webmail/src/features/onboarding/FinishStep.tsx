import type { ModelName } from '@selvage/core/contracts/permissions';
import type { SetupGuideDto } from '@selvage/core/contracts/setup-guide';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import type { MouseEvent, ReactNode } from 'react';
import { Ring } from '../../components/feedback/Ring.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { Facts } from '../../components/page/Facts.tsx';
import { Section } from '../../components/page/Section.tsx';
import { StateWord } from '../../components/StateWord.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { can } from '../../lib/can.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { onboardingWords } from '../../words/onboarding.ts';
import { setupGuideWords } from '../../words/setup-guide.ts';
import { guideQuery } from '../domains/queries.ts';
import { type KeptForm, unsavedForms } from './unsaved-input.ts';
import { StepFrame } from './StepFrame.tsx';
import { useFinish } from './use-finish.ts';
import type { Progress } from './use-progress.ts';

const useStyles = makeStyles({
  stack: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS },
  list: { display: 'grid', gap: tokens.spacingVerticalM, listStyleType: 'none', margin: 0, padding: 0 },
  text: { color: tokens.colorNeutralForeground2 },
});

/** The last step: what is done, what still waits, and where to go next. */
export function FinishStep({ progress }: { progress: Progress }) {
  const t = useWords(onboardingWords);
  const { isBusy, failure, finish } = useFinish(progress.user);
  const button = (
    <Button
      appearance="primary"
      disabledFocusable={isBusy}
      icon={isBusy ? <Ring /> : undefined}
      onClick={() => void finish()}
    >
      {isBusy ? t.finishing : t.finish}
    </Button>
  );
  return (
    <StepFrame progress={progress} step={4} last={button}>
      <FormMessage text={failure} />
      <Unsaved owner={progress.user._id} />
      <Standing progress={progress} />
      <NextPlaces progress={progress} onChoose={(to) => void finish(to)} />
    </StepFrame>
  );
}

const stepsOfForms = { company: 1, domain: 2, person: 3 } as const satisfies Record<KeptForm, number>;

/** Names the steps in which something was typed and not saved. */
function Unsaved({ owner }: { owner: string }) {
  const t = useWords(onboardingWords);
  const forms = unsavedForms(owner);
  if (forms.length === 0) return null;
  const links = forms.map((form) => (
    <TextLink key={form} to={{ search: `?step=${stepsOfForms[form]}` }}>
      {t[`title${stepsOfForms[form]}`]}
    </TextLink>
  ));
  return <FormMessage intent="warning" text={t.unsaved} action={links} />;
}

function Standing({ progress }: { progress: Progress }) {
  const t = useWords(onboardingWords);
  const { company, domain, domains, choices, done, others } = progress;
  const rows: (readonly [string, ReactNode])[] = [];
  if (company) rows.push([t.details, <Done key="company" isDone={done[1]} text={company.name} />]);
  if (domains) {
    const name = domain ? shownAddress(domain.domain_name) : t.noDomainYet;
    rows.push([t.domain, <Done key="domain" isDone={done[2]} text={name} />]);
  }
  if (domain) rows.push([t.records, <Records key="records" id={domain._id} />]);
  if (choices) rows.push([t.people, <People key="people" others={others} />]);
  return <Facts rows={rows} />;
}

function Done({ isDone, text }: { isDone: boolean; text: string }) {
  const styles = useStyles();
  const t = useWords(onboardingWords);
  return (
    <span className={styles.stack}>
      <StateWord kind={isDone ? 'good' : 'waiting'}>{isDone ? t.stateDone : t.stateMissing}</StateWord>
      <span className={styles.text}>{text}</span>
    </span>
  );
}

function People({ others }: { others: number }) {
  const styles = useStyles();
  const t = useWords(onboardingWords);
  return (
    <span className={styles.stack}>
      <StateWord kind={others > 0 ? 'good' : 'quiet'}>{others > 0 ? t.stateDone : t.stateSkipped}</StateWord>
      <span className={styles.text}>{others > 0 ? t.peopleCount(others) : t.onlyYou}</span>
    </span>
  );
}

/** The state of the domain's records in the DNS now. */
function Records({ id }: { id: string }) {
  const styles = useStyles();
  const t = useWords(onboardingWords);
  const { data: guide, error } = useQuery(guideQuery(id));
  if (!guide) return error ? <StateWord kind="held">{t.stateUnknown}</StateWord> : null;
  return (
    <span className={styles.stack}>
      <StateWord kind={guide.done ? 'good' : 'waiting'}>{guide.done ? t.stateDone : t.stateWaiting}</StateWord>
      <span className={styles.text}>{guide.done ? t.dnsDone : whatWaits(guide)}</span>
    </span>
  );
}

function whatWaits({ steps }: SetupGuideDto): string {
  const g = wordsOf(setupGuideWords);
  const waiting = steps.filter(({ state }) => state !== 'done');
  const names = waiting.map(({ name }) => g[name]).join(', ');
  return wordsOf(onboardingWords).waitsFor({ left: g.left(waiting.length), names });
}

interface NextProps {
  progress: Progress;
  onChoose: (to: string) => void;
}

/** Ways on from here. The setup ends with each of them, as with its button. */
function NextPlaces({ progress: { user, domain }, onChoose }: NextProps) {
  const styles = useStyles();
  const t = useWords(onboardingWords);
  const mayView = (model: ModelName): boolean => can(user, { model, action: 'view' });
  const places = [
    ['nextGuide', `/dashboard/domain/setup_guide/${domain?._id}`, domain !== null] as const,
    ['nextUsers', '/dashboard/user', mayView('user')] as const,
    ['nextRoles', '/dashboard/role', mayView('role')] as const,
    ['nextSecurity', '/dashboard/accountsettings?activeTab=security', mayView('accountsettings')] as const,
    ['nextMail', '/dashboard/inbox', mayView('inbox')] as const,
  ].filter(([, , isOpen]) => isOpen);
  const choose = (event: MouseEvent, to: string): void => {
    // With a key held down, the browser opens another tab
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onChoose(to);
  };
  return (
    <Section title={t.nextTitle}>
      <ul className={styles.list}>
        {places.map(([name, to]) => (
          <li key={name} className={styles.stack}>
            <span>
              <TextLink to={to} onClick={(event) => choose(event, to)}>
                {t[name]}
              </TextLink>
            </span>
            <span className={styles.text}>{t[`${name}Text`]}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
