import { makeStyles, tokens } from '@fluentui/react-components';
import { Bar, Placeholder } from '../../components/feedback/Placeholder.tsx';

const useStyles = makeStyles({
  row: {
    display: 'grid',
    gridTemplateColumns: '20px 160px minmax(0, 1fr) 56px',
    alignItems: 'center',
    gap: tokens.spacingHorizontalL,
    height: '45px',
    padding: `0 ${tokens.spacingHorizontalL}`,
    '@media (max-width: 719px)': { gridTemplateColumns: '20px minmax(0, 1fr) 56px', height: '68px' },
  },
  wide: { '@media (max-width: 719px)': { display: 'none' } },
});

export function ListSkeleton({ rows }: { rows: number }) {
  const styles = useStyles();
  return (
    <Placeholder label="Loading messages">
      {Array.from({ length: rows }, (_unused, index) => (
        <div key={index} className={styles.row}>
          <Bar height={16} />
          <Bar height={12} className={styles.wide} />
          <Bar height={12} />
          <Bar height={12} />
        </div>
      ))}
    </Placeholder>
  );
}
