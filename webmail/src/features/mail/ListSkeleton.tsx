import { makeStyles, Skeleton, SkeletonItem, tokens } from '@fluentui/react-components';

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
    <Skeleton aria-label="Loading messages">
      {Array.from({ length: rows }, (_unused, index) => (
        <div key={index} className={styles.row}>
          <SkeletonItem shape="square" size={16} />
          <SkeletonItem size={12} className={styles.wide} />
          <SkeletonItem size={12} />
          <SkeletonItem size={12} />
        </div>
      ))}
    </Skeleton>
  );
}
