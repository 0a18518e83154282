import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { NavigationRegular } from '@fluentui/react-icons/svg/navigation';
import { Link } from 'react-router-dom';
import { useWords } from '../../lib/i18n.ts';
import { focusRingInside } from '../../theme/styles.ts';
import { pageWords } from '../../words/pages.ts';
import { shellWords } from '../../words/shell.ts';
import type { NavigationPage, NavigationSection } from './navigation.ts';
import { PageIcon } from './PageIcon.tsx';
import { useCurrentPath } from './use-current-path.ts';

const PLACES = 4;

const useStyles = makeStyles({
  bar: {
    display: 'flex',
    flexShrink: 0,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground2,
    paddingBottom: 'env(safe-area-inset-bottom)',
  },
  place: {
    flex: '1 1 0',
    minWidth: 0,
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    gap: '2px',
    padding: `${tokens.spacingVerticalSNudge} 0`,
    border: 'none',
    backgroundColor: 'transparent',
    color: tokens.colorNeutralForeground2,
    fontFamily: 'inherit',
    fontSize: tokens.fontSizeBase200,
    // A button does not inherit it as a link does
    lineHeight: tokens.lineHeightBase300,
    textDecorationLine: 'none',
    ...focusRingInside,
  },
  current: { color: tokens.colorBrandForeground1, fontWeight: tokens.fontWeightSemibold },
  icon: { display: 'flex', minHeight: '1em', fontSize: '22px' },
});

/**
 * The pages for the bar: one of each heading first, then further ones, as many as there is room
 * for.
 */
export function pagesForBar(sections: readonly NavigationSection[]): NavigationPage[] {
  const firsts = sections.flatMap(({ items }) => items.slice(0, 1));
  const others = sections.flatMap(({ items }) => items.slice(1));
  const inOrder = [...firsts, ...others].toSorted(
    (one, other) => Number(one.navigation.isMinor ?? false) - Number(other.navigation.isMinor ?? false),
  );
  const chosen = new Set(inOrder.slice(0, PLACES));
  return sections.flatMap(({ items }) => items).filter((page) => chosen.has(page));
}

/**
 * The most important pages within reach of the thumb. The last button opens the whole navigation.
 */
export function BottomBar({ sections, onMenu }: { sections: readonly NavigationSection[]; onMenu: () => void }) {
  const styles = useStyles();
  const current = useCurrentPath();
  const titles = useWords(pageWords);
  const t = useWords(shellWords);
  return (
    <nav aria-label={t.menu} className={styles.bar}>
      {pagesForBar(sections).map((page) => {
        const isCurrent = current === page.path;
        return (
          <Link
            key={page.path}
            to={page.path}
            className={mergeClasses(styles.place, isCurrent && styles.current)}
            aria-current={isCurrent ? 'page' : undefined}
          >
            <span className={styles.icon} aria-hidden>
              <PageIcon icon={page.navigation.icon} isCurrent={isCurrent} />
            </span>
            {titles[page.crumb ?? page.title]}
          </Link>
        );
      })}
      <button type="button" className={styles.place} onClick={onMenu}>
        <span className={styles.icon} aria-hidden>
          <NavigationRegular />
        </span>
        {t.menu}
      </button>
    </nav>
  );
}
