import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { ChevronLeftRegular } from '@fluentui/react-icons/svg/chevron-left';
import { ChevronRightRegular } from '@fluentui/react-icons/svg/chevron-right';
import { IconButton } from './IconButton.tsx';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'flex-end',
    flexWrap: 'wrap',
    gap: tokens.spacingHorizontalM,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL}`,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  size: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS, marginRight: 'auto' },
  sizeLabel: { '@media (max-width: 479px)': { display: 'none' } },
  select: {
    height: '24px',
    padding: `0 ${tokens.spacingHorizontalXS}`,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    fontFamily: 'inherit',
    fontSize: tokens.fontSizeBase200,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  buttons: { display: 'flex' },
});

interface Props {
  page: number;
  limit: number;
  total: number;
  totalPages: number;
  sizes: readonly number[];
  onChange: (page: number, limit?: number) => void;
}

export function Pagination({ page, limit, total, totalPages, sizes, onChange }: Props) {
  const styles = useStyles();
  const first = total === 0 ? 0 : (page - 1) * limit + 1;
  const last = Math.min(page * limit, total);
  return (
    <nav className={styles.root} aria-label="Pages">
      <span className={styles.size}>
        <Text size={200} className={styles.sizeLabel} aria-hidden>
          Rows per page
        </Text>
        <select
          className={styles.select}
          aria-label="Rows per page"
          value={limit}
          onChange={(event) => onChange(1, Number(event.target.value))}
        >
          {sizes.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>
      </span>
      <Text size={200} aria-live="polite">
        {first.toLocaleString()}–{last.toLocaleString()} of {total.toLocaleString()}
      </Text>
      <span className={styles.buttons}>
        <IconButton
          label="Previous page"
          icon={<ChevronLeftRegular />}
          disabled={page <= 1}
          onClick={() => onChange(page - 1)}
        />
        <IconButton
          label="Next page"
          icon={<ChevronRightRegular />}
          disabled={page >= totalPages}
          onClick={() => onChange(page + 1)}
        />
      </span>
    </nav>
  );
}
