import { makeStyles, tokens } from '@fluentui/react-components';
import { Link, useLocation } from 'react-router-dom';
import { useWords } from '../../lib/i18n.ts';
import { focusRing, oneLine } from '../../theme/styles.ts';
import { pageWords } from '../../words/pages.ts';
import { shellWords } from '../../words/shell.ts';
import { useRecordName } from '../router/use-page-title.ts';
import { type Crumb, crumbsOf } from './crumbs.ts';

const useStyles = makeStyles({
  list: { display: 'flex', listStyleType: 'none', margin: 0, padding: '2px', overflow: 'hidden' },
  item: { display: 'flex', flexShrink: 0, ':last-child': { flexShrink: 1, minWidth: 0 } },
  link: {
    color: tokens.colorNeutralForeground2,
    textDecorationLine: 'none',
    borderRadius: tokens.borderRadiusSmall,
    ...oneLine,
    ':hover': { textDecorationLine: 'underline' },
    ...focusRing,
  },
  here: { color: tokens.colorNeutralForeground1, ...oneLine },
  divider: { padding: `0 ${tokens.spacingHorizontalXS}`, color: tokens.colorNeutralForeground3 },
});

/** The path to the present page. A record is shown by its name. */
export function Breadcrumbs() {
  const styles = useStyles();
  const t = useWords(shellWords);
  const crumbs = crumbsOf(useLocation());
  return (
    <nav aria-label={t.breadcrumb}>
      <ol className={styles.list}>
        {crumbs.map((crumb, index) => (
          <li key={crumb.address} className={styles.item}>
            {index > 0 && (
              <span className={styles.divider} aria-hidden>
                ›
              </span>
            )}
            <CrumbText crumb={crumb} isHere={index === crumbs.length - 1} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

function CrumbText({ crumb: { match, address }, isHere }: { crumb: Crumb; isHere: boolean }) {
  const styles = useStyles();
  const titles = useWords(pageWords);
  const { page, params } = match;
  const name = useRecordName(page, params) ?? titles[page.crumb ?? page.title];
  if (isHere) {
    return (
      <span className={styles.here} aria-current="page" dir="auto">
        {name}
      </span>
    );
  }
  return (
    <Link className={styles.link} to={address} dir="auto">
      {name}
    </Link>
  );
}
