import { makeStyles } from '@fluentui/react-components';
import type { ListState } from '../../hooks/use-list-state.ts';
import { useWords } from '../../lib/i18n.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { listWords } from '../../words/lists.ts';
import type { Column } from './columns.ts';
import { PlainSelect } from './PlainSelect.tsx';

const useStyles = makeStyles({
  root: { display: 'none', maxWidth: '100%', [onNarrow]: { display: 'inline-flex' } },
});

interface Props {
  list: ListState;
  columns: readonly Pick<Column<never>, 'id' | 'title'>[];
}

/** The order of a list on a small screen, where cards have no headings to sort by. */
export function SortSelect({ list, columns }: Props) {
  const styles = useStyles();
  const t = useWords(listWords);
  if (columns.length === 0) return null;
  const isOfColumn = columns.some(({ id }) => list.sort === id || list.sort === `-${id}`);
  return (
    <PlainSelect className={styles.root} label={t.sort} value={list.sort ?? ''} onChange={list.setSort}>
      {!isOfColumn && <option value={list.sort ?? ''}>{t.sort}</option>}
      {columns.map(({ id, title }) => [
        <option key={id} value={id}>
          {t.ascending({ column: title })}
        </option>,
        <option key={`-${id}`} value={`-${id}`}>
          {t.descending({ column: title })}
        </option>,
      ])}
    </PlainSelect>
  );
}
