import { Label, makeStyles, Select, Text, tokens, useId } from '@fluentui/react-components';
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
  const selectId = useId('page-size');
  const first = total === 0 ? 0 : (page - 1) * limit + 1;
  const last = Math.min(page * limit, total);
  return (
    <nav className={styles.root} aria-label="Pages">
      <span className={styles.size}>
        <Label htmlFor={selectId} size="small" className={styles.sizeLabel}>
          Rows per page
        </Label>
        <Select
          id={selectId}
          size="small"
          aria-label="Rows per page"
          value={limit}
          onChange={(_event, data) => onChange(1, Number(data.value))}
        >
          {sizes.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </Select>
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
