import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { type ReactNode, useId, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { useKeyboardScroll } from '../../hooks/use-keyboard-scroll.ts';
import { useWords } from '../../lib/i18n.ts';
import { HOME } from '../../lib/landing.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { widths } from '../../theme/own-tokens.ts';
import { arrivalHeading, focusRingInside, scrollPane } from '../../theme/styles.ts';
import { onboardingWords } from '../../words/onboarding.ts';
import { OnboardingFrame } from './OnboardingFrame.tsx';
import type { StepNumber } from './step-of.ts';
import { Stepper } from './Stepper.tsx';
import type { Progress } from './use-progress.ts';

const useStyles = makeStyles({
  scroll: { ...scrollPane, ...focusRingInside },
  body: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalXL,
    width: '100%',
    maxWidth: `calc(${widths.page} + 2 * ${tokens.spacingHorizontalXL})`,
    margin: '0 auto',
    boxSizing: 'border-box',
    padding: `${tokens.spacingVerticalXL} ${tokens.spacingHorizontalXL} ${tokens.spacingVerticalXXXL}`,
    [onNarrow]: { padding: `${tokens.spacingVerticalL} ${tokens.spacingHorizontalM} ${tokens.spacingVerticalXXL}` },
  },
  head: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS },
  above: { color: tokens.colorNeutralForeground2 },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase600,
    lineHeight: tokens.lineHeightBase600,
    fontWeight: tokens.fontWeightSemibold,
    ...arrivalHeading,
  },
  hint: { maxWidth: '80ch', color: tokens.colorNeutralForeground2 },
  foot: { flexShrink: 0, borderTop: `1px solid ${tokens.colorNeutralStroke2}` },
  buttons: {
    display: 'flex',
    alignItems: 'center',
    flexWrap: 'wrap',
    gap: tokens.spacingHorizontalS,
    maxWidth: `calc(${widths.page} + 2 * ${tokens.spacingHorizontalXL})`,
    margin: '0 auto',
    boxSizing: 'border-box',
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalXL}`,
    [onNarrow]: { padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}` },
  },
  waits: {
    flex: '1 1 160px',
    textAlign: 'end',
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
    [onNarrow]: { flexBasis: '100%', textAlign: 'start', order: -1 },
  },
  space: { flexGrow: 1 },
  next: { [onNarrow]: { marginLeft: 'auto' } },
});

interface Props {
  progress: Progress;
  step: StepNumber;
  /** What has to be done before the next step; empty when there is nothing. */
  waitsFor?: string;
  /** Lets the person go on without it. */
  canSkip?: boolean;
  /** Stands in the place of the way to the next step. */
  last?: ReactNode;
  children: ReactNode;
}

/** One step of the setup: its place among the others, its heading, the ways on and back. */
export function StepFrame({ progress, step, waitsFor = '', canSkip = false, last, children }: Props) {
  const styles = useStyles();
  const t = useWords(onboardingWords);
  const scrollRef = useRef<HTMLDivElement>(null);
  useKeyboardScroll(scrollRef);
  return (
    <OnboardingFrame user={progress.user}>
      <div ref={scrollRef} className={styles.scroll}>
        <div className={styles.body}>
          <Stepper step={step} done={progress.done} />
          {!progress.user.required_data && <Over />}
          <div className={styles.head}>
            <span className={styles.above}>{`${t.setUp} · ${t.stepOf({ step })}`}</span>
            <h1 className={styles.title} tabIndex={-1} ref={focusHeading}>
              {t[`title${step}`]}
            </h1>
            <span className={styles.hint}>{t[`hint${step}`]}</span>
          </div>
          {children}
        </div>
      </div>
      <Ways step={step} waitsFor={waitsFor} canSkip={canSkip} last={last} />
    </OnboardingFrame>
  );
}

/** A screen reader hears the step, and the keyboard goes on from its heading. */
function focusHeading(heading: HTMLElement | null): void {
  heading?.focus({ preventScroll: true });
}

/** The setup was finished elsewhere while this window had it open. */
function Over() {
  const t = useWords(onboardingWords);
  const navigate = useNavigate();
  const open = (
    <Button size="small" onClick={() => void navigate(HOME)}>
      {t.openHome}
    </Button>
  );
  return <FormMessage intent="info" text={t.overElsewhere} action={open} />;
}

function Ways({
  step,
  waitsFor,
  canSkip,
  last,
}: Pick<Props, 'last'> & { step: StepNumber; waitsFor: string; canSkip: boolean }) {
  const styles = useStyles();
  const t = useWords(onboardingWords);
  const navigate = useNavigate();
  const id = useId();
  const isSaved = waitsFor === '';
  const goTo = (number: number) => void navigate({ search: `?step=${number}` });
  return (
    <div className={styles.foot}>
      <div className={styles.buttons}>
        {step > 1 && <Button onClick={() => goTo(step - 1)}>{t.previous}</Button>}
        {isSaved ? (
          <span className={styles.space} />
        ) : (
          <span id={id} className={styles.waits}>
            {waitsFor}
          </span>
        )}
        {canSkip && !isSaved && <Button onClick={() => goTo(step + 1)}>{t.skip}</Button>}
        {last ?? (
          <Button
            className={styles.next}
            appearance="primary"
            disabledFocusable={!isSaved}
            {...(isSaved ? {} : { 'aria-describedby': id })}
            onClick={() => goTo(step + 1)}
          >
            {t.next}
          </Button>
        )}
      </div>
    </div>
  );
}
