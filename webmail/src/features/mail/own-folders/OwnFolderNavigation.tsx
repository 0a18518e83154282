import { mostOwnFolders, type OwnFolderDto, removeOwnFolder } from '@selvage/core/contracts/own-folders';
import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { AddRegular } from '@fluentui/react-icons/svg/add';
import { ChevronDownRegular } from '@fluentui/react-icons/svg/chevron-down';
import { ChevronRightRegular } from '@fluentui/react-icons/svg/chevron-right';
import { FolderRegular } from '@fluentui/react-icons/svg/folder';
import { MoreHorizontalRegular } from '@fluentui/react-icons/svg/more-horizontal';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type MouseEvent, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { IconButton } from '../../../components/IconButton.tsx';
import { lazyExtra } from '../../../components/lazy-extra.tsx';
import { LazyMenu, lazyMenu } from '../../../components/LazyMenu.tsx';
import { notify } from '../../../components/feedback/notify.ts';
import { VisuallyHidden } from '../../../components/VisuallyHidden.tsx';
import { useDropTarget } from '../../../hooks/use-drop-target.ts';
import { api } from '../../../lib/api.ts';
import { useWords } from '../../../lib/i18n.ts';
import { originOf } from '../../../lib/origin.ts';
import { heights } from '../../../theme/own-tokens.ts';
import { focusRingInside, oneLine } from '../../../theme/styles.ts';
import { ownFolderWords } from '../../../words/own-folders.ts';
import { shellWords } from '../../../words/shell.ts';
import { mailKeys } from '../keys.ts';
import { choose, useMailChoices } from '../mail-choices.ts';
import { totalsQuery } from '../queries.ts';
import { useOwnFolders } from './use-own-folders.ts';

const FolderDialog = lazyExtra(() => import('./FolderDialog.tsx'));
const DeleteDialog = lazyExtra(async () => {
  const { DeleteDialog: dialog } = await import('../../../components/dialog/DeleteDialog.tsx');
  return { default: dialog };
});
const menu = lazyMenu(() => import('../../../components/list/RowMenu.tsx'));

const useStyles = makeStyles({
  root: { marginTop: tokens.spacingVerticalM },
  head: { display: 'flex', alignItems: 'center', minHeight: '28px' },
  heading: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalXS,
    flexGrow: 1,
    minHeight: '28px',
    padding: `0 ${tokens.spacingHorizontalS}`,
    border: 'none',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: 'transparent',
    color: tokens.colorNeutralForeground3,
    fontFamily: 'inherit',
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightSemibold,
    cursor: 'pointer',
    ':hover': { color: tokens.colorNeutralForeground1 },
    ...focusRingInside,
  },
  list: { listStyleType: 'none', margin: 0, padding: 0, display: 'flex', flexDirection: 'column', gap: '1px' },
  item: {
    position: 'relative',
    borderRadius: tokens.borderRadiusMedium,
    ':hover': { backgroundColor: tokens.colorNeutralBackground2Hover },
    '& [data-more]': { opacity: 0 },
    ':hover [data-more], :focus-within [data-more]': { opacity: 1 },
    ':hover [data-count], :focus-within [data-count]': { visibility: 'hidden' },
    // without a pointer that hovers, the menu is always there
    '@media (hover: none)': { '& [data-more]': { opacity: 1 }, '& [data-count]': { marginRight: '24px' } },
  },
  link: {
    display: 'flex',
    alignItems: 'center',
    // in line with the names of the folders of the host
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
  icon: { flexShrink: 0, fontSize: '20px' },
  name: { flexGrow: 1, minWidth: 0, ...oneLine },
  // the menu takes the place of the count
  count: {
    minWidth: '22px',
    textAlign: 'end',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    fontVariantNumeric: 'tabular-nums',
  },
  more: { position: 'absolute', right: '2px', top: 0, bottom: 0, display: 'flex', alignItems: 'center' },
  none: {
    margin: 0,
    padding: `0 ${tokens.spacingHorizontalM}`,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
  },
});

type Shown = { kind: 'new' } | { kind: 'edit' | 'remove'; folder: OwnFolderDto };

interface Props {
  onNavigate?: (() => void) | undefined;
}

/** The folders that the person made, below those of the host. */
export function OwnFolderNavigation({ onNavigate }: Props) {
  const styles = useStyles();
  const t = useWords(ownFolderWords);
  const folders = useOwnFolders();
  const isLoaded = useQuery(totalsQuery).data !== undefined;
  const { areFoldersFolded: isFolded } = useMailChoices();
  const [shown, setShown] = useState<Shown | null>(null);
  const close = (): void => setShown(null);
  if (!isLoaded) return null;
  return (
    <div className={styles.root}>
      <div className={styles.head}>
        <button
          type="button"
          className={styles.heading}
          aria-expanded={!isFolded}
          onClick={() => choose({ areFoldersFolded: !isFolded })}
        >
          {isFolded ? <ChevronRightRegular /> : <ChevronDownRegular />}
          {t.folders}
        </button>
        {folders.length < mostOwnFolders && (
          <IconButton
            size="small"
            label={t.newFolder}
            icon={<AddRegular />}
            onPointerEnter={FolderDialog.prepare}
            onClick={() => setShown({ kind: 'new' })}
          />
        )}
      </div>
      {!isFolded && folders.length > 0 && (
        <ul className={styles.list} aria-label={t.folders}>
          {folders.map((folder) => (
            <FolderItem key={folder._id} folder={folder} onNavigate={onNavigate} onShow={setShown} />
          ))}
        </ul>
      )}
      {!isFolded && folders.length === 0 && <p className={styles.none}>{t.noneYet}</p>}
      {shown?.kind === 'new' && <FolderDialog onClose={close} />}
      {shown?.kind === 'edit' && <FolderDialog folder={shown.folder} onClose={close} />}
      {shown?.kind === 'remove' && <RemoveFolder folder={shown.folder} onClose={close} />}
    </div>
  );
}

interface ItemProps extends Props {
  folder: OwnFolderDto;
  onShow: (shown: Shown) => void;
}

function FolderItem({ folder, onNavigate, onShow }: ItemProps) {
  const styles = useStyles();
  const t = useWords(ownFolderWords);
  const shell = useWords(shellWords);
  const path = `/dashboard/folder/${folder._id}`;
  const isCurrent = useCurrentPath() === path;
  const drop = useDropTarget(path);
  const moreRef = useRef<HTMLSpanElement>(null);
  const items = [
    { label: t.rename, run: () => onShow({ kind: 'edit', folder }) },
    { label: t.remove, run: () => onShow({ kind: 'remove', folder }), isDangerous: true },
  ];
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
        className={mergeClasses(styles.link, isCurrent && styles.current, folder.unread === 0 && styles.withoutCount)}
        aria-current={isCurrent ? 'page' : undefined}
        title={folder.name}
        onClick={() => onNavigate?.()}
      >
        <FolderRegular className={styles.icon} />
        <span className={styles.name} dir="auto">
          {folder.name}
        </span>
        {folder.unread > 0 && (
          <span className={styles.count} data-count>
            <span aria-hidden>{folder.unread.toLocaleString()}</span>
            <VisuallyHidden>{shell.unread(folder.unread)}</VisuallyHidden>
          </span>
        )}
      </Link>
      <span className={styles.more} ref={moreRef} data-more>
        <LazyMenu
          label={t.moreFor({ name: folder.name })}
          icon={<MoreHorizontalRegular />}
          menu={menu}
          items={items}
          size="small"
        />
      </span>
    </li>
  );
}

/** The open list, or the one from which the open message was opened. */
function useCurrentPath(): string {
  const location = useLocation();
  const [path = ''] = (originOf(location) ?? location.pathname).split('?');
  return path;
}

function RemoveFolder({ folder, onClose }: { folder: OwnFolderDto; onClose: () => void }) {
  const t = useWords(ownFolderWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const remove = async (): Promise<void> => {
    await api(removeOwnFolder, { params: { id: folder._id } });
    if (pathname === `/dashboard/folder/${folder._id}`) void navigate('/dashboard/inbox');
    await client.invalidateQueries({ queryKey: mailKeys.totals });
    notify.success(t.removed({ name: folder.name }));
  };
  return (
    <DeleteDialog
      title={t.removeTitle({ name: folder.name })}
      text={t.removeText}
      onDelete={remove}
      onClose={onClose}
    />
  );
}
