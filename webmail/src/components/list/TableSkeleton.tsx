import { makeStyles, tokens } from '@fluentui/react-components';
import { onNarrow } from '../../theme/breakpoints.ts';
import { heights } from '../../theme/own-tokens.ts';
import { Bar, Placeholder } from '../feedback/Placeholder.tsx';

const useStyles = makeStyles({
  root: { flexGrow: 1, minHeight: 0, overflow: 'hidden' },
  // As high as what stands above the rows of a table, so that the rows do not move when they come
  head: {
    height: '38px',
    boxSizing: 'border-box',
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    [onNarrow]: { display: 'none' },
  },
  row: {
    display: 'grid',
    gridTemplateColumns: '2fr 3fr 1fr',
    alignItems: 'center',
    gap: tokens.spacingHorizontalXXL,
    height: heights.tableRow,
    boxSizing: 'border-box',
    padding: `0 ${tokens.spacingHorizontalM}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
  },
});

/** Where a table is about to be. */
export function TableSkeleton({ label, rows }: { label: string; rows: number }) {
  const styles = useStyles();
  return (
    <Placeholder label={label} className={styles.root}>
      <div className={styles.head} />
      {Array.from({ length: rows }, (_row, index) => (
        <div key={index} className={styles.row}>
          <Bar height={14} width={`${60 + ((index * 17) % 40)}%`} />
          <Bar height={14} width={`${40 + ((index * 29) % 50)}%`} />
          <Bar height={14} />
        </div>
      ))}
    </Placeholder>
  );
}
