import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { MoreHorizontalRegular } from '@fluentui/react-icons/svg/more-horizontal';
import { type ComponentProps, type MouseEvent, type ReactNode, useRef } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { LazyMenu, lazyMenu } from '../../../components/LazyMenu.tsx';
import { VisuallyHidden } from '../../../components/VisuallyHidden.tsx';
import { useDropTarget } from '../../../hooks/use-drop-target.ts';
import { useWords } from '../../../lib/i18n.ts';
import { originOf } from '../../../lib/origin.ts';
import { heights } from '../../../theme/own-tokens.ts';
import { focusRingInside, oneLine } from '../../../theme/styles.ts';
import { shellWords } from '../../../words/shell.ts';

const menu = lazyMenu(() => import('../../../components/list/RowMenu.tsx'));

const useStyles = makeStyles({
  item: {
    position: 'relative',
    borderRadius: tokens.borderRadiusMedium,
    ':hover': { backgroundColor: tokens.colorNeutralBackground2Hover },
    '& [data-more]': { opacity: 0 },
    ':hover [data-more], :focus-within [data-more]': { opacity: 1 },
    ':hover [data-count], :focus-within [data-count]': { visibility: 'hidden' },
    // Without a pointer that hovers, the menu is always there
    '@media (hover: none)': { '& [data-more]': { opacity: 1 }, '& [data-count]': { marginRight: '24px' } },
  },
  link: {
    display: 'flex',
    alignItems: 'center',
    // In line with the names of the folders of the host
    gap: '12px',
    minHeight: heights.control,
    padding: `0 ${tokens.spacingHorizontalM} 0 12px`,
    borderRadius: tokens.borderRadiusMedium,
    textDecorationLine: 'none',
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase300,
    ...focusRingInside,
  },
  withoutCount: { paddingRight: '34px' },
  current: {
    backgroundColor: tokens.colorBrandBackground2,
    color: tokens.colorNeutralForeground1,
    fontWeight: tokens.fontWeightSemibold,
    ':hover': { backgroundColor: tokens.colorBrandBackground2Hover },
  },
  fits: { boxShadow: `inset 0 0 0 1px ${tokens.colorBrandStroke1}` },
  over: { backgroundColor: tokens.colorBrandBackground2Hover },
  icon: { display: 'flex', justifyContent: 'center', flexShrink: 0, width: '20px', fontSize: '20px' },
  name: { flexGrow: 1, minWidth: 0, ...oneLine },
  // The menu takes the place of the count
  count: {
    minWidth: '22px',
    textAlign: 'end',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    fontVariantNumeric: 'tabular-nums',
  },
  more: { position: 'absolute', right: '2px', top: 0, bottom: 0, display: 'flex', alignItems: 'center' },
});

/** A label or a folder that a person made. */
export interface OwnPlace {
  _id: string;
  name: string;
  unread: number;
}

interface Props {
  place: OwnPlace;
  path: string;
  icon: ReactNode;
  /** Name of its menu. */
  moreLabel: string;
  actions: ComponentProps<typeof LazyMenu>['items'];
  onNavigate?: (() => void) | undefined;
}

/** A label or a folder in the navigation: it takes dropped messages, and has a menu. */
export function OwnPlaceLink({ place, path, icon, moreLabel, actions, onNavigate }: Props) {
  const styles = useStyles();
  const shell = useWords(shellWords);
  const isCurrent = useListPath() === path;
  const drop = useDropTarget(path);
  const moreRef = useRef<HTMLSpanElement>(null);
  const openMenu = (event: MouseEvent): void => {
    if (event.shiftKey) return;
    event.preventDefault();
    moreRef.current?.querySelector('button')?.click();
  };
  return (
    <li
      className={mergeClasses(styles.item, drop.fits && styles.fits, drop.isOver && styles.over)}
      onContextMenu={openMenu}
      {...drop.handlers}
    >
      <Link
        to={path}
        className={mergeClasses(styles.link, isCurrent && styles.current, place.unread === 0 && styles.withoutCount)}
        aria-current={isCurrent ? 'page' : undefined}
        title={place.name}
        onClick={() => onNavigate?.()}
      >
        <span className={styles.icon}>{icon}</span>
        <span className={styles.name} dir="auto">
          {place.name}
        </span>
        {place.unread > 0 && (
          <span className={styles.count} data-count>
            <span aria-hidden>{place.unread.toLocaleString()}</span>
            <VisuallyHidden>{shell.unread(place.unread)}</VisuallyHidden>
          </span>
        )}
      </Link>
      <span className={styles.more} ref={moreRef} data-more>
        <LazyMenu label={moreLabel} icon={<MoreHorizontalRegular />} menu={menu} items={actions} size="small" />
      </span>
    </li>
  );
}

/** The open list, or the one from which the open message was opened. */
function useListPath(): string {
  const location = useLocation();
  const [path = ''] = (originOf(location) ?? location.pathname).split('?');
  return path;
}
