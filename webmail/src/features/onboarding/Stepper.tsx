import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { CheckmarkRegular } from '@fluentui/react-icons/svg/checkmark';
import { Link } from 'react-router-dom';
import { VisuallyHidden } from '../../components/VisuallyHidden.tsx';
import { useWords } from '../../lib/i18n.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { focusRing } from '../../theme/styles.ts';
import { own } from '../../theme/own-tokens.ts';
import { onboardingWords } from '../../words/onboarding.ts';
import { reachedStep, type StepNumber, stepNumbers, type StepsDone } from './step-of.ts';

const useStyles = makeStyles({
  list: {
    display: 'flex',
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    gap: tokens.spacingHorizontalS,
  },
  item: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    // A hairline leads to the next step
    ':not(:last-child)': { flexGrow: 1 },
    ':not(:last-child)::after': {
      content: '""',
      flexGrow: 1,
      minWidth: tokens.spacingHorizontalM,
      borderTop: `1px solid ${tokens.colorNeutralStroke1}`,
    },
  },
  step: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    padding: tokens.spacingVerticalXXS,
    borderRadius: tokens.borderRadiusMedium,
    color: tokens.colorNeutralForeground2,
    textDecorationLine: 'none',
    ...focusRing,
  },
  link: { ':hover': { color: tokens.colorNeutralForeground1, textDecorationLine: 'underline' } },
  current: { color: tokens.colorNeutralForeground1, fontWeight: tokens.fontWeightSemibold },
  number: {
    display: 'grid',
    placeItems: 'center',
    flexShrink: 0,
    width: '28px',
    height: '28px',
    boxSizing: 'border-box',
    borderRadius: tokens.borderRadiusCircular,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    fontVariantNumeric: 'tabular-nums',
  },
  numberDone: {
    color: own.stateGood,
    borderTopColor: 'currentColor',
    borderRightColor: 'currentColor',
    borderBottomColor: 'currentColor',
    borderLeftColor: 'currentColor',
  },
  numberCurrent: {
    backgroundColor: tokens.colorBrandBackground,
    color: tokens.colorNeutralForegroundOnBrand,
    borderTopColor: 'transparent',
    borderRightColor: 'transparent',
    borderBottomColor: 'transparent',
    borderLeftColor: 'transparent',
  },
  // Still read out where there is no room to show it
  word: {
    [onNarrow]: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
  },
});

interface Props {
  step: StepNumber;
  done: StepsDone;
}

/** All steps, with a way to each that can be opened. */
export function Stepper({ step, done }: Props) {
  const styles = useStyles();
  const t = useWords(onboardingWords);
  const reached = reachedStep(done);
  return (
    <nav aria-label={t.steps}>
      <ol className={styles.list}>
        {stepNumbers.map((number) => (
          <li key={number} className={styles.item}>
            {number === step || number > reached ? (
              <span
                className={mergeClasses(styles.step, number === step && styles.current)}
                aria-current={number === step ? 'step' : undefined}
              >
                <Mark number={number} isDone={isDone(number)} isCurrent={number === step} />
              </span>
            ) : (
              <Link className={mergeClasses(styles.step, styles.link)} to={{ search: `?step=${number}` }}>
                <Mark number={number} isDone={isDone(number)} isCurrent={false} />
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );

  function isDone(number: StepNumber): boolean {
    return number !== 4 && done[number];
  }
}

function Mark({ number, isDone, isCurrent }: { number: StepNumber; isDone: boolean; isCurrent: boolean }) {
  const styles = useStyles();
  const t = useWords(onboardingWords);
  const shape = mergeClasses(styles.number, isDone && styles.numberDone, isCurrent && styles.numberCurrent);
  return (
    <>
      <span className={shape}>{isDone && !isCurrent ? <CheckmarkRegular /> : number}</span>
      <span className={styles.word}>{t[`short${number}`]}</span>
      {isDone && <VisuallyHidden>{t.finished}</VisuallyHidden>}
    </>
  );
}
