import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { useWords } from '../../../lib/i18n.ts';
import { onNarrow } from '../../../theme/breakpoints.ts';
import { focusRingInside, oneLine } from '../../../theme/styles.ts';
import { signatureWords } from '../../../words/signatures.ts';
import type { SignatureEntry } from './entries.ts';

const useStyles = makeStyles({
  list: {
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    display: 'flex',
    flexDirection: 'column',
    gap: '2px',
    maxHeight: '420px',
    overflowY: 'auto',
    [onNarrow]: { maxHeight: '200px' },
  },
  item: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'flex-start',
    width: '100%',
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
    boxSizing: 'border-box',
    border: 'none',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: 'transparent',
    color: tokens.colorNeutralForeground1,
    fontFamily: 'inherit',
    textAlign: 'left',
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ...focusRingInside,
  },
  active: { backgroundColor: tokens.colorNeutralBackground1Selected },
  name: { maxWidth: '100%', ...oneLine },
  unsaved: { color: tokens.colorNeutralForeground2 },
});

interface Props {
  entries: SignatureEntry[];
  selected: string;
  onSelect: (key: string) => void;
}

export function SignatureList({ entries, selected, onSelect }: Props) {
  const styles = useStyles();
  const t = useWords(signatureWords);
  return (
    <ul className={styles.list} aria-label={t.list}>
      {entries.map(({ key, name, unsaved }) => (
        <li key={key}>
          <button
            type="button"
            className={mergeClasses(styles.item, key === selected && styles.active)}
            aria-current={key === selected ? 'true' : undefined}
            onClick={() => onSelect(key)}
          >
            <Text className={styles.name} weight={key === selected ? 'semibold' : 'regular'} title={name}>
              {name || t.noName}
            </Text>
            {unsaved && (
              <Text size={200} className={styles.unsaved}>
                {t.notSaved}
              </Text>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}
