import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { NavLink } from 'react-router-dom';
import { useTabStyles } from './tab-styles.ts';

// The search below has no space of its own above it
const useStyles = makeStyles({ row: { marginBottom: tokens.spacingVerticalS } });

interface Props {
  /** What a screen reader calls the row. */
  label: string;
  links: readonly { to: string; label: string }[];
}

/** Links between screens that belong together, as tabs that are pages of their own. */
export function PageLinks({ label, links }: Props) {
  const styles = useTabStyles();
  const { row } = useStyles();
  return (
    <nav aria-label={label} className={mergeClasses(styles.tabs, row)}>
      {links.map(({ to, label: name }) => (
        <NavLink key={to} to={to} end className={({ isActive }) => mergeClasses(styles.tab, isActive && styles.chosen)}>
          {name}
        </NavLink>
      ))}
    </nav>
  );
}
