import type { EmailDto } from '@selvage/core/contracts/mail';
import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { ShieldCheckmarkRegular } from '@fluentui/react-icons/svg/shield-checkmark';
import { ShieldErrorRegular } from '@fluentui/react-icons/svg/shield-error';
import { ShieldQuestionRegular } from '@fluentui/react-icons/svg/shield-question';
import { VisuallyHidden } from '../../components/VisuallyHidden.tsx';
import { own } from '../../theme/own-tokens.ts';
import { judgeAuthenticity } from './authenticity.ts';

const useStyles = makeStyles({
  root: {
    display: 'inline-flex',
    alignItems: 'flex-start',
    gap: tokens.spacingHorizontalXS,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    cursor: 'default',
  },
  icon: { flexShrink: 0, height: tokens.lineHeightBase200 },
  verified: { color: own.stateGood },
  suspicious: { color: own.stateBad },
});

/** How sure a reader can be of the sender, in one calm line; the three results as a tip. */
export function AuthenticityLine({ authenticity }: { authenticity: NonNullable<EmailDto['authenticity']> }) {
  const styles = useStyles();
  const { level, sentence, detail } = judgeAuthenticity(authenticity);
  const Icon =
    level === 'verified' ? ShieldCheckmarkRegular : level === 'suspicious' ? ShieldErrorRegular : ShieldQuestionRegular;
  return (
    <span
      className={mergeClasses(
        styles.root,
        level === 'verified' && styles.verified,
        level === 'suspicious' && styles.suspicious,
      )}
      data-tip={detail}
    >
      <Icon aria-hidden className={styles.icon} />
      {sentence}
      <VisuallyHidden>{detail}</VisuallyHidden>
    </span>
  );
}
