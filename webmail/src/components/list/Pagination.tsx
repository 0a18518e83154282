import { makeStyles, tokens } from '@fluentui/react-components';
import { ChevronLeftRegular } from '@fluentui/react-icons/svg/chevron-left';
import { ChevronRightRegular } from '@fluentui/react-icons/svg/chevron-right';
import { useState } from 'react';
import type { ListState } from '../../hooks/use-list-state.ts';
import { useWords } from '../../lib/i18n.ts';
import { onNarrow, onPhone } from '../../theme/breakpoints.ts';
import { listWords } from '../../words/lists.ts';
import { IconButton } from '../IconButton.tsx';
import { PlainSelect } from './PlainSelect.tsx';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'flex-end',
    flexWrap: 'wrap',
    flexShrink: 0,
    gap: tokens.spacingHorizontalM,
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalL} ${tokens.spacingVerticalXS} ${tokens.spacingHorizontalXL}`,
    [onNarrow]: { padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}` },
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    fontSize: tokens.fontSizeBase200,
    fontVariantNumeric: 'tabular-nums',
    color: tokens.colorNeutralForeground2,
  },
  size: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS, marginRight: 'auto' },
  sizeLabel: { [onPhone]: { display: 'none' } },
  buttons: { display: 'flex' },
});

interface Props {
  list: Pick<ListState, 'page' | 'limit' | 'sizes' | 'goTo' | 'setLimit'>;
  total: number;
  totalPages: number;
}

/**
 * What a screen reader is told: the next range after the person has moved in the list. A range that
 * changes because a row comes or leaves is not told.
 */
function useTold(range: string): { told: string; noteMove: () => void } {
  const [state, setState] = useState({ range, hasMoved: false, told: '' });
  if (state.range !== range) setState({ range, hasMoved: false, told: state.hasMoved ? range : '' });
  return { told: state.told, noteMove: () => setState({ ...state, hasMoved: true }) };
}

/** Where a list stands, and the way to its other pages. */
export function Pagination({ list: { page, limit, sizes, goTo, setLimit }, total, totalPages }: Props) {
  const styles = useStyles();
  const t = useWords(listWords);
  const first = total === 0 ? 0 : (page - 1) * limit + 1;
  const range = t.range({ first, last: Math.min(page * limit, total), total });
  const { told, noteMove } = useTold(range);
  const move = (next: number): void => {
    noteMove();
    goTo(next);
  };
  const resize = (next: number): void => {
    noteMove();
    setLimit(next);
  };
  return (
    <nav className={styles.root} aria-label={t.pages}>
      <span className={styles.size}>
        <span className={styles.sizeLabel} aria-hidden>
          {t.rowsPerPage}
        </span>
        <PlainSelect isSmall label={t.rowsPerPage} value={limit} onChange={(value) => resize(Number(value))}>
          {sizes.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </PlainSelect>
      </span>
      <span>
        {told === '' && range}
        <span role="status">{told}</span>
      </span>
      <span className={styles.buttons}>
        <IconButton
          label={t.previousPage}
          icon={<ChevronLeftRegular />}
          disabledFocusable={page <= 1}
          onClick={() => page > 1 && move(page - 1)}
        />
        <IconButton
          label={t.nextPage}
          icon={<ChevronRightRegular />}
          disabledFocusable={page >= totalPages}
          onClick={() => page < totalPages && move(page + 1)}
        />
      </span>
    </nav>
  );
}
