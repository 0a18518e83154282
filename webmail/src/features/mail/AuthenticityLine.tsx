import type { EmailDto } from '@selvage/core/contracts/mail';
import { makeStyles, mergeClasses, Text, tokens, Tooltip } from '@fluentui/react-components';
import { ShieldCheckmarkRegular } from '@fluentui/react-icons/svg/shield-checkmark';
import { ShieldErrorRegular } from '@fluentui/react-icons/svg/shield-error';
import { ShieldQuestionRegular } from '@fluentui/react-icons/svg/shield-question';
import { judgeAuthenticity } from './authenticity.ts';

const useStyles = makeStyles({
  root: {
    display: 'inline-flex',
    alignItems: 'flex-start',
    gap: tokens.spacingHorizontalXS,
    color: tokens.colorNeutralForeground3,
    cursor: 'default',
  },
  icon: { flexShrink: 0, height: tokens.lineHeightBase200 },
  verified: { color: tokens.colorStatusSuccessForeground1 },
  suspicious: { color: tokens.colorStatusDangerForeground1 },
});

export function AuthenticityLine({ authenticity }: { authenticity: NonNullable<EmailDto['authenticity']> }) {
  const styles = useStyles();
  const { level, sentence, detail } = judgeAuthenticity(authenticity);
  const Icon =
    level === 'verified' ? ShieldCheckmarkRegular : level === 'suspicious' ? ShieldErrorRegular : ShieldQuestionRegular;
  return (
    <Tooltip content={detail} relationship="description">
      <span
        className={mergeClasses(
          styles.root,
          level === 'verified' && styles.verified,
          level === 'suspicious' && styles.suspicious,
        )}
      >
        <Icon aria-hidden className={styles.icon} />
        <Text size={200}>{sentence}</Text>
      </span>
    </Tooltip>
  );
}
