import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { useSearchParams } from 'react-router-dom';
import { onNarrow } from '../../theme/breakpoints.ts';
import { focusRingInside } from '../../theme/styles.ts';
import { indexAfter } from '../Toolbar.tsx';
import { Page } from './Page.tsx';

const useStyles = makeStyles({
  tabs: {
    display: 'flex',
    flexShrink: 0,
    gap: tokens.spacingHorizontalL,
    overflowX: 'auto',
    padding: `0 ${tokens.spacingHorizontalXL}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    [onNarrow]: { padding: `0 ${tokens.spacingHorizontalM}` },
  },
  tab: {
    flexShrink: 0,
    padding: `${tokens.spacingVerticalS} 2px`,
    border: 'none',
    borderBottom: '2px solid transparent',
    backgroundColor: 'transparent',
    color: tokens.colorNeutralForeground2,
    fontFamily: 'inherit',
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    cursor: 'pointer',
    ':hover': { color: tokens.colorNeutralForeground1 },
    ...focusRingInside,
  },
  chosen: {
    color: tokens.colorNeutralForeground1,
    fontWeight: tokens.fontWeightSemibold,
    borderBottomColor: tokens.colorCompoundBrandStroke,
  },
  panel: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXL, minWidth: 0, paddingTop: '12px' },
});

export interface PageTab<Name extends string> {
  name: Name;
  label: string;
  /** Begins to fetch what it shows, for the moment a pointer comes near. */
  prepare?: () => void;
}

interface Props<Name extends string> {
  title: string;
  /** Stands behind the title. */
  aside?: ReactNode;
  actions?: ReactNode;
  /** Stands between the title and the tabs. */
  header?: ReactNode;
  /**
   * The query parameter that holds the open tab, so that it survives a reload and can be linked to.
   */
  parameter: string;
  /** The first one is open where the address names none. */
  tabs: readonly [PageTab<Name>, ...PageTab<Name>[]];
  children: (open: Name) => ReactNode;
}

/** A page whose content is in tabs (ARIA: automatic activation; arrows, Home and End move). */
export function TabbedPage<Name extends string>(props: Props<Name>) {
  const { title, aside, actions, header, parameter, tabs, children } = props;
  const styles = useStyles();
  const id = useId();
  const [search, setSearch] = useSearchParams();
  const open = tabs.find(({ name }) => name === search.get(parameter)) ?? tabs[0];

  const choose = (name: Name): void =>
    setSearch((old) => {
      old.set(parameter, name);
      return old;
    });
  const handleKey = (event: KeyboardEvent<HTMLElement>): void => {
    const next = tabs[indexAfter(event.key, tabs.indexOf(open), tabs.length)];
    if (!next || next === open) return;
    event.preventDefault();
    choose(next.name);
    document.getElementById(`${id}-${next.name}`)?.focus();
  };
  const row = (
    <div role="tablist" aria-label={title} className={styles.tabs} onKeyDown={handleKey}>
      {tabs.map(({ name, label, prepare }) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${id}-${name}`}
          aria-selected={name === open.name}
          aria-controls={`${id}-panel`}
          tabIndex={name === open.name ? 0 : -1}
          className={mergeClasses(styles.tab, name === open.name && styles.chosen)}
          onPointerEnter={prepare}
          onClick={() => choose(name)}
        >
          {label}
        </button>
      ))}
    </div>
  );
  return (
    <Page
      title={title}
      aside={aside}
      actions={actions}
      above={
        <>
          {header}
          {row}
        </>
      }
    >
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${open.name}`} className={styles.panel}>
        {children(open.name)}
      </div>
    </Page>
  );
}
