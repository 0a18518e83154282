import { makeStyles, tokens } from '@fluentui/react-components';
import { Bar, Placeholder } from '../../components/feedback/Placeholder.tsx';
import { useWords } from '../../lib/i18n.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { heights } from '../../theme/own-tokens.ts';
import { mailListWords } from '../../words/mail-list.ts';

const useStyles = makeStyles({
  row: {
    display: 'grid',
    gridTemplateColumns: '48px 180px minmax(0, 1fr) 56px',
    alignItems: 'center',
    gap: tokens.spacingHorizontalL,
    height: heights.mailRow,
    padding: `0 ${tokens.spacingHorizontalL}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    [onNarrow]: { gridTemplateColumns: '48px minmax(0, 1fr) 56px', height: '68px' },
  },
  wide: { [onNarrow]: { display: 'none' } },
});

/** Where messages are about to be. */
export function ListSkeleton({ rows }: { rows: number }) {
  const styles = useStyles();
  const t = useWords(mailListWords);
  return (
    <Placeholder label={t.loading}>
      {Array.from({ length: rows }, (_unused, index) => (
        <div key={index} className={styles.row}>
          <Bar height={12} width="60%" />
          <Bar height={12} className={styles.wide} width={`${60 + ((index * 23) % 40)}%`} />
          <Bar height={12} width={`${50 + ((index * 31) % 45)}%`} />
          <Bar height={12} />
        </div>
      ))}
    </Placeholder>
  );
}
