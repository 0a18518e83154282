import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { DialogFrame } from '../../../components/dialog/DialogFrame.tsx';
import { IconButton } from '../../../components/IconButton.tsx';
import { rowDate } from '../../../lib/format.ts';
import { useWords } from '../../../lib/i18n.ts';
import { focusRingInside, oneLine } from '../../../theme/styles.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';
import { recipientsOf } from './composition.ts';
import DiscardUnsentQuestion from './DiscardUnsentQuestion.tsx';
import { openUnsent, refreshUnsent, type Unsent, unsent } from './unsent.ts';

const useStyles = makeStyles({
  list: {
    listStyleType: 'none',
    margin: `0 calc(-1 * ${tokens.spacingHorizontalS})`,
    padding: 0,
    maxHeight: '50dvh',
    overflowY: 'auto',
  },
  row: { display: 'flex', alignItems: 'center', borderBottom: `1px solid ${tokens.colorNeutralStroke2}` },
  open: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    columnGap: tokens.spacingHorizontalM,
    flexGrow: 1,
    minWidth: 0,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalS}`,
    border: 'none',
    backgroundColor: 'transparent',
    color: tokens.colorNeutralForeground1,
    font: 'inherit',
    textAlign: 'left',
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ...focusRingInside,
  },
  subject: { ...oneLine, fontWeight: tokens.fontWeightSemibold },
  quiet: { ...oneLine, color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  text: { color: tokens.colorNeutralForeground2 },
});

/** The unsent messages of this device. The person can go on writing them or discard them. */
export default function UnsentList({ onClose }: { onClose: () => void }) {
  const styles = useStyles();
  const t = useWords(unsentWords);
  const all = useStore(unsent);
  const [discarded, setDiscarded] = useState<Unsent | null>(null);
  useEffect(() => void refreshUnsent(), []);
  const open = ({ composition }: Unsent): void => {
    onClose();
    void openUnsent(composition);
  };
  return (
    <>
      <DialogFrame
        title={t.listTitle}
        size="small"
        onClose={onClose}
        actions={<Button onClick={onClose}>{t.close}</Button>}
      >
        <span className={styles.text}>{all.length > 0 ? t.listText : t.listEmpty}</span>
        <ul className={styles.list}>
          {all.map((one) => (
            <UnsentRow
              key={one.composition.id}
              one={one}
              onOpen={() => open(one)}
              onDiscard={() => setDiscarded(one)}
            />
          ))}
        </ul>
      </DialogFrame>
      {discarded && <DiscardUnsentQuestion place={discarded.composition} onClose={() => setDiscarded(null)} />}
    </>
  );
}

function UnsentRow({ one, onOpen, onDiscard }: { one: Unsent; onOpen: () => void; onDiscard: () => void }) {
  const styles = useStyles();
  const t = useWords(unsentWords);
  const { composition, keptAt } = one;
  const subject = composition.subject.trim() || t.noSubject;
  const people = recipientsOf(composition)
    .map(({ name, address }) => name || address)
    .join(', ');
  const line = composition.attempt ? t.isOpen : people ? t.toPeople({ people }) : t.noPeople;
  return (
    <li className={styles.row}>
      <button type="button" className={styles.open} onClick={onOpen} aria-label={t.openNamed({ subject })}>
        <span className={styles.subject} dir="auto">
          {subject}
        </span>
        <span className={styles.quiet}>{rowDate(new Date(keptAt).toISOString())}</span>
        <span className={styles.quiet} dir="auto">
          {line}
        </span>
      </button>
      <IconButton label={t.discardNamed({ subject })} size="small" icon={<DeleteRegular />} onClick={onDiscard} />
    </li>
  );
}
