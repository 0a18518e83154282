import { searchLimits } from '@selvage/core/contracts/list';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import type { ListState } from '../../hooks/use-list-state.ts';
import { useWords } from '../../lib/i18n.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { heights } from '../../theme/own-tokens.ts';
import { focusRing } from '../../theme/styles.ts';
import { listWords } from '../../words/lists.ts';
import { clearByButton } from './clear-by-button.ts';
import type { Column } from './columns.ts';
import { PlainSelect } from './PlainSelect.tsx';
import { SortSelect } from './SortSelect.tsx';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    alignItems: 'center',
    flexWrap: 'wrap',
    flexShrink: 0,
    gap: tokens.spacingHorizontalS,
    minHeight: '40px',
    padding: `0 ${tokens.spacingHorizontalXL} ${tokens.spacingVerticalS}`,
    [onNarrow]: { padding: `0 ${tokens.spacingHorizontalM} ${tokens.spacingVerticalS}` },
  },
  search: {
    flex: '1 1 160px',
    minWidth: 0,
    maxWidth: '360px',
    height: heights.control,
    boxSizing: 'border-box',
    padding: `0 ${tokens.spacingHorizontalM}`,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    fontFamily: 'inherit',
    fontSize: tokens.fontSizeBase300,
    '::placeholder': { color: tokens.colorNeutralForeground3 },
    ...focusRing,
    [onNarrow]: { maxWidth: 'none' },
  },
  filter: { maxWidth: '220px' },
});

/** A condition that narrows a list: one of a few values, or one of many records. */
export interface FilterField {
  /** The query parameter. */
  name: string;
  label: string;
  choices?: readonly { value: string; label: string }[];
  /** The control for it, where it is not a choice of a few. */
  renderPicker?: (props: FilterPickerProps) => ReactNode;
}

/** What a filter's own control is given. */
export interface FilterPickerProps {
  label: string;
  value: string;
  /** `replaces`: without a step of its own for the Back button. */
  onPick: (value: string, options?: { replaces?: boolean }) => void;
  className: string | undefined;
}

interface Props {
  list: ListState;
  filters: readonly FilterField[];
  searchLabel?: string;
  /** What the list can be sorted by. */
  sortable?: readonly Pick<Column<never>, 'id' | 'title'>[];
  /** Stands there instead, such as what can be done with the ticked rows. */
  children?: ReactNode;
}

/** Search, filters and order of a list. What is set stands in the address. */
export function ListToolbar({ list, filters, searchLabel, sortable = [], children }: Props) {
  const styles = useStyles();
  const t = useWords(listWords);
  if (children) return <div className={styles.root}>{children}</div>;
  if (!searchLabel && filters.length === 0) return null;
  return (
    <div className={styles.root} role="search" data-list-search>
      {searchLabel && (
        <input
          type="search"
          className={styles.search}
          aria-label={searchLabel}
          placeholder={searchLabel}
          maxLength={searchLimits.characters}
          value={list.searchText}
          onChange={(event) => list.setSearchText(event.target.value)}
        />
      )}
      {filters.map((filter) => (
        <FilterControl key={filter.name} list={list} filter={filter} />
      ))}
      <SortSelect list={list} columns={sortable} />
      {list.isNarrowed && (
        <Button appearance="subtle" onClick={clearByButton(list.clear)}>
          {t.clearFilters}
        </Button>
      )}
    </div>
  );
}

function FilterControl({
  list,
  filter: { name, label, choices = [], renderPicker },
}: {
  list: ListState;
  filter: FilterField;
}) {
  const styles = useStyles();
  const t = useWords(listWords);
  const value = list.filters[name] ?? '';
  const set: FilterPickerProps['onPick'] = (next, how) => list.setFilter(name, next, how);
  if (renderPicker) return renderPicker({ label, value, onPick: set, className: styles.filter });
  return (
    <PlainSelect className={styles.filter} label={label} value={value} onChange={set}>
      <option value="">{`${label}: ${t.all}`}</option>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </PlainSelect>
  );
}
