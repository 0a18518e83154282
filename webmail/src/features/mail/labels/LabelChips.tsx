import type { LabelDto } from '@selvage/core/contracts/labels';
import { makeStyles, tokens } from '@fluentui/react-components';
import { VisuallyHidden } from '../../../components/VisuallyHidden.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { oneLine } from '../../../theme/styles.ts';
import { labelWords } from '../../../words/labels.ts';
import { toneOf } from './label-colours.ts';
import { useLabelsOf } from './use-labels.ts';

const MOST_IN_ROW = 2;

const useStyles = makeStyles({
  root: { display: 'inline-flex', alignItems: 'center', gap: '4px', flexShrink: 0, maxWidth: '100%' },
  chip: {
    display: 'inline-block',
    boxSizing: 'border-box',
    maxWidth: '112px',
    padding: '0 6px',
    borderRadius: tokens.borderRadiusSmall,
    fontSize: tokens.fontSizeBase200,
    lineHeight: '18px',
    fontWeight: tokens.fontWeightRegular,
    ...oneLine,
  },
  more: { fontSize: tokens.fontSizeBase200, fontWeight: tokens.fontWeightRegular },
});

/** One label by its name and colour. */
export function LabelChip({ label }: { label: LabelDto }) {
  const styles = useStyles();
  const { paper, ink } = toneOf[label.colour];
  return (
    <span className={styles.chip} dir="auto" style={{ backgroundColor: paper, color: ink }}>
      {label.name}
    </span>
  );
}

/** The first labels of a row, and how many more it has. */
export function LabelChips({ ids }: { ids: readonly string[] }) {
  const styles = useStyles();
  const t = useWords(labelWords);
  const labels = useLabelsOf(ids);
  if (labels.length === 0) return null;
  const names = labels.map(({ name }) => name).join(', ');
  const more = labels.length - MOST_IN_ROW;
  return (
    <span className={styles.root} title={names} data-labels>
      <VisuallyHidden>{t.labelled({ names })} </VisuallyHidden>
      <span className={styles.root} aria-hidden>
        {labels.slice(0, MOST_IN_ROW).map((label) => (
          <LabelChip key={label._id} label={label} />
        ))}
        {more > 0 && <span className={styles.more}>+{more}</span>}
      </span>
    </span>
  );
}
