import { Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import type { ListState } from '../../hooks/use-list-state.ts';
import { useWords } from '../../lib/i18n.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { heights } from '../../theme/own-tokens.ts';
import { focusRing } from '../../theme/styles.ts';
import { listWords } from '../../words/lists.ts';

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
  box: {
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
  },
  search: { flex: '1 1 200px', maxWidth: '360px' },
  filter: { maxWidth: '220px' },
});

/** A condition that narrows a list: one of a few values. */
export interface FilterField {
  /** The query parameter. */
  name: string;
  label: string;
  choices: readonly { value: string; label: string }[];
}

interface Props {
  list: ListState;
  filters: readonly FilterField[];
  searchLabel?: string;
  /** Stands there instead, such as what can be done with the ticked rows. */
  children?: ReactNode;
}

/** Search and filters of a list. What is set stands in the address. */
export function ListToolbar({ list, filters, searchLabel, children }: Props) {
  const styles = useStyles();
  const t = useWords(listWords);
  if (children) return <div className={styles.root}>{children}</div>;
  if (!searchLabel && filters.length === 0) return null;
  return (
    <div className={styles.root} role="search">
      {searchLabel && (
        <input
          type="search"
          className={mergeClasses(styles.box, styles.search)}
          aria-label={searchLabel}
          placeholder={searchLabel}
          maxLength={200}
          value={list.searchText}
          onChange={(event) => list.setSearchText(event.target.value)}
        />
      )}
      {filters.map(({ name, label, choices }) => (
        <select
          key={name}
          className={mergeClasses(styles.box, styles.filter)}
          aria-label={label}
          value={list.filters[name] ?? ''}
          onChange={(event) => list.setFilter(name, event.target.value)}
        >
          <option value="">{`${label}: ${t.all}`}</option>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      ))}
      {list.isNarrowed && (
        <Button appearance="subtle" onClick={list.clear}>
          {t.clearFilters}
        </Button>
      )}
    </div>
  );
}
