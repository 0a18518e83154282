import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { Link } from 'react-router-dom';
import { useDropTarget } from '../../hooks/use-drop-target.ts';
import { useWords } from '../../lib/i18n.ts';
import { heights } from '../../theme/own-tokens.ts';
import { focusRingInside, oneLine } from '../../theme/styles.ts';
import { pageWords } from '../../words/pages.ts';
import { fetchPath } from '../router/fetch-ahead.ts';
import type { NavigationPage } from './navigation.ts';
import { PageIcon } from './PageIcon.tsx';

const useStyles = makeStyles({
  link: {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    minHeight: heights.control,
    padding: `0 ${tokens.spacingHorizontalM}`,
    borderRadius: tokens.borderRadiusMedium,
    textDecorationLine: 'none',
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase300,
    ':hover': { backgroundColor: tokens.colorNeutralBackground2Hover, color: tokens.colorNeutralForeground1 },
    ...focusRingInside,
  },
  rail: { justifyContent: 'center', padding: 0, minHeight: '40px' },
  current: {
    backgroundColor: tokens.colorBrandBackground2,
    color: tokens.colorNeutralForeground1,
    fontWeight: tokens.fontWeightSemibold,
    ':hover': { backgroundColor: tokens.colorBrandBackground2Hover },
  },
  icon: { display: 'flex', flexShrink: 0, minWidth: '1em', fontSize: '20px' },
  // Takes what is being dragged
  fits: { boxShadow: `inset 0 0 0 1px ${tokens.colorBrandStroke1}` },
  over: {
    backgroundColor: tokens.colorBrandBackground2Hover,
    ':hover': { backgroundColor: tokens.colorBrandBackground2Hover },
  },
  currentIcon: { color: tokens.colorBrandForeground1 },
  label: { flexGrow: 1, ...oneLine },
});

interface Props {
  page: NavigationPage;
  isCurrent: boolean;
  isRail: boolean;
  onNavigate: (() => void) | undefined;
}

/** One page of the navigation. Its code is fetched when the pointer or the focus reaches it. */
export function NavigationLink({ page, isCurrent, isRail, onNavigate }: Props) {
  const styles = useStyles();
  const t = useWords(pageWords);
  const label = t[page.crumb ?? page.title];
  const { Badge } = page;
  const drop = useDropTarget(page.path);
  return (
    <Link
      to={page.path}
      className={mergeClasses(
        styles.link,
        isRail && styles.rail,
        isCurrent && styles.current,
        drop.fits && styles.fits,
        drop.isOver && styles.over,
      )}
      {...drop.handlers}
      aria-current={isCurrent ? 'page' : undefined}
      {...(isRail ? { 'aria-label': label, 'data-tip': label } : {})}
      onPointerEnter={() => fetchPath(page.path)}
      onFocus={() => fetchPath(page.path)}
      onClick={() => onNavigate?.()}
    >
      <span className={mergeClasses(styles.icon, isCurrent && styles.currentIcon)} aria-hidden>
        <PageIcon icon={page.navigation.icon} isCurrent={isCurrent} />
      </span>
      {!isRail && <span className={styles.label}>{label}</span>}
      {!isRail && Badge && <Badge />}
    </Link>
  );
}
