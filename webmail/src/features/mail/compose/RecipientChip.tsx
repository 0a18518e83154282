import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { ErrorCircleRegular } from '@fluentui/react-icons/svg/error-circle';
import type { KeyboardEvent } from 'react';
import { useWords } from '../../../lib/i18n.ts';
import { own } from '../../../theme/own-tokens.ts';
import { focusRing, markedRing, oneLine } from '../../../theme/styles.ts';
import { recipientWords } from '../../../words/compose.ts';
import { type Recipient, textOf } from './recipients.ts';

const useStyles = makeStyles({
  root: {
    display: 'inline-flex',
    alignItems: 'center',
    maxWidth: '100%',
    minWidth: 0,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorBrandBackground2,
    color: tokens.colorNeutralForeground1,
    fontSize: tokens.fontSizeBase200,
    lineHeight: '24px',
  },
  wrong: { backgroundColor: own.stateBadPaper, color: own.stateBad },
  marked: markedRing,
  person: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalXS,
    minWidth: 0,
    padding: `0 ${tokens.spacingHorizontalXXS} 0 ${tokens.spacingHorizontalS}`,
    border: 'none',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: 'transparent',
    color: 'inherit',
    font: 'inherit',
    lineHeight: 'inherit',
    cursor: 'default',
    ...focusRing,
  },
  name: { fontWeight: tokens.fontWeightSemibold, ...oneLine },
  address: oneLine,
  quiet: { color: tokens.colorNeutralForeground3 },
  icon: { display: 'inline-flex', flexShrink: 0, fontSize: '14px' },
  remove: {
    display: 'inline-flex',
    flexShrink: 0,
    padding: '5px',
    border: 'none',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: 'transparent',
    color: 'inherit',
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorSubtleBackgroundHover, color: tokens.colorNeutralForeground1 },
  },
});

interface Props {
  recipient: Recipient;
  /** The next Backspace removes the recipient. */
  isMarked: boolean;
  onKeyDown: (event: KeyboardEvent) => void;
  onEdit: () => void;
  onRemove: () => void;
}

/** One recipient: the name and the address, or the text that is no address and the reason. */
export function RecipientChip({ recipient, isMarked, onKeyDown, onEdit, onRemove }: Props) {
  const styles = useStyles();
  const t = useWords(recipientWords);
  const { name, address, problem } = recipient;
  const text = textOf(recipient);
  const label = problem ? t.wrong({ text, problem }) : name ? t.person({ name, address }) : address;
  return (
    <span draggable className={mergeClasses(styles.root, problem !== null && styles.wrong, isMarked && styles.marked)}>
      <button
        type="button"
        className={styles.person}
        tabIndex={-1}
        data-chip
        data-wrong={problem !== null || undefined}
        aria-label={label}
        data-tip={label}
        onKeyDown={onKeyDown}
        onDoubleClick={onEdit}
      >
        {problem && (
          <span className={styles.icon}>
            <ErrorCircleRegular />
          </span>
        )}
        {problem ? (
          <span className={styles.address}>{text}</span>
        ) : (
          <>
            {name && (
              <span className={styles.name} dir="auto">
                {name}
              </span>
            )}
            <span className={mergeClasses(styles.address, name !== '' && styles.quiet)}>{address}</span>
          </>
        )}
      </button>
      <button
        type="button"
        className={styles.remove}
        tabIndex={-1}
        aria-label={t.remove({ recipient: name || address })}
        onClick={onRemove}
      >
        <DismissRegular aria-hidden />
      </button>
    </span>
  );
}
