import { makeStyles, tokens } from '@fluentui/react-components';
import { Link, useLocation } from 'react-router-dom';
import { isFolder } from '../features/mail/folders.ts';
import { originOf } from '../features/mail/origin.ts';
import { crumbsOf } from './crumbs.ts';

const useStyles = makeStyles({
  list: {
    display: 'flex',
    flexWrap: 'nowrap',
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    overflow: 'hidden',
    whiteSpace: 'nowrap',
  },
  crumb: {
    color: tokens.colorNeutralForeground2,
    textDecorationLine: 'none',
    ':hover': { textDecorationLine: 'underline' },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  divider: { padding: `0 ${tokens.spacingHorizontalXS}`, color: tokens.colorNeutralForeground3 },
});

export function Breadcrumbs() {
  const styles = useStyles();
  const location = useLocation();
  const [, , section] = location.pathname.split('/');
  // a message is read at the same address wherever it was opened from
  const crumbs = crumbsOf(isFolder(section) ? originOf(location) : location.pathname);
  return (
    <nav aria-label="Breadcrumb">
      <ol className={styles.list}>
        {crumbs.map(({ label, path }, index) => (
          <li key={path}>
            {index > 0 && (
              <span className={styles.divider} aria-hidden>
                ›
              </span>
            )}
            <Link className={styles.crumb} to={path} aria-current={path === location.pathname ? 'page' : undefined}>
              {label}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
