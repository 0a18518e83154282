import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { onNarrow } from '../../theme/breakpoints.ts';
import { indexAfter } from '../Toolbar.tsx';
import { useTabStyles } from './tab-styles.ts';

const useStyles = makeStyles({
  // Inside the content the page's own padding is there already
  inside: { padding: 0, [onNarrow]: { padding: 0 } },
  panel: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXL, minWidth: 0, paddingTop: '12px' },
});

export interface PageTab<Name extends string> {
  name: Name;
  label: string;
  /** Begins to fetch what it shows, for the moment a pointer comes near. */
  prepare?: () => void;
}

export interface TabsProps<Name extends string> {
  /** What the tabs are about; screen readers hear it. */
  label: string;
  /**
   * The query parameter that holds the open tab, so that it survives a reload and can be linked to.
   */
  parameter: string;
  /** The first one is open where the address names none. */
  tabs: readonly [PageTab<Name>, ...PageTab<Name>[]];
  /** Query parameters that belong to one tab: another one begins without them. */
  resets?: readonly string[];
  children: (open: Name) => ReactNode;
}

/**
 * A row of tabs and the panel of the open one (ARIA: automatic activation; arrows, Home and End
 * move).
 * @param isInside the row stands in the content of a page, and not below its heading
 */
export function useTabs<Name extends string>(
  { label, parameter, tabs, resets = [], children }: TabsProps<Name>,
  isInside: boolean,
): { row: ReactNode; panel: ReactNode } {
  const styles = useStyles();
  const tabStyles = useTabStyles();
  const id = useId();
  const [search, setSearch] = useSearchParams();
  const { state } = useLocation();
  const open = tabs.find(({ name }) => name === search.get(parameter)) ?? tabs[0];

  const choose = (name: Name): void =>
    setSearch(
      (old) => {
        old.set(parameter, name);
        for (const other of resets) old.delete(other);
        return old;
      },
      // It knows the way back to the list
      { state: state as unknown },
    );
  const handleKey = (event: KeyboardEvent<HTMLElement>): void => {
    const next = tabs[indexAfter(event.key, tabs.indexOf(open), tabs.length)];
    if (!next || next === open) return;
    event.preventDefault();
    choose(next.name);
    document.getElementById(`${id}-${next.name}`)?.focus();
  };
  const row = (
    <div
      role="tablist"
      aria-label={label}
      className={mergeClasses(tabStyles.tabs, isInside && styles.inside)}
      onKeyDown={handleKey}
    >
      {tabs.map(({ name, label: word, prepare }) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${id}-${name}`}
          aria-selected={name === open.name}
          aria-controls={`${id}-panel`}
          tabIndex={name === open.name ? 0 : -1}
          className={mergeClasses(tabStyles.tab, name === open.name && tabStyles.chosen)}
          onPointerEnter={prepare}
          onClick={() => choose(name)}
        >
          {word}
        </button>
      ))}
    </div>
  );
  const panel = (
    <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${open.name}`} className={styles.panel}>
      {children(open.name)}
    </div>
  );
  return { row, panel };
}

/** Tabs inside the content of a page. */
export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { row, panel } = useTabs(props, true);
  return (
    <div>
      {row}
      {panel}
    </div>
  );
}
