import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { CounterBadge, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { ArchiveFilled, ArchiveRegular } from '@fluentui/react-icons/svg/archive';
import { DeleteFilled, DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { MailInboxFilled, MailInboxRegular } from '@fluentui/react-icons/svg/mail-inbox';
import { SendFilled, SendRegular } from '@fluentui/react-icons/svg/send';
import { StarFilled, StarRegular } from '@fluentui/react-icons/svg/star';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { type Folder, folderInfo, folderNames, isFolder } from '../features/mail/folders.ts';
import { folderOfLocation } from '../features/mail/origin.ts';
import { totalsQuery } from '../features/mail/queries.ts';
import { isAllowed } from '../lib/current-user.ts';

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: 0, display: 'flex', flexDirection: 'column', gap: '2px' },
  item: {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    minHeight: '36px',
    padding: `0 ${tokens.spacingHorizontalM}`,
    borderRadius: tokens.borderRadiusMedium,
    textDecorationLine: 'none',
    color: tokens.colorNeutralForeground2,
    ':hover': { backgroundColor: tokens.colorNeutralBackground2Hover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
  },
  active: {
    backgroundColor: tokens.colorNeutralBackground1Selected,
    color: tokens.colorNeutralForeground1,
    '::before': {
      content: '""',
      position: 'absolute',
      left: 0,
      top: '8px',
      bottom: '8px',
      width: '3px',
      borderRadius: tokens.borderRadiusCircular,
      backgroundColor: tokens.colorCompoundBrandBackground,
    },
  },
  icon: { display: 'flex', fontSize: '20px' },
  activeIcon: { color: tokens.colorBrandForeground1 },
  label: { flexGrow: 1 },
});

const icons: Record<Folder, { rest: ComponentType; active: ComponentType }> = {
  inbox: { rest: MailInboxRegular, active: MailInboxFilled },
  starred: { rest: StarRegular, active: StarFilled },
  sent: { rest: SendRegular, active: SendFilled },
  archive: { rest: ArchiveRegular, active: ArchiveFilled },
  trash: { rest: DeleteRegular, active: DeleteFilled },
};

interface Props {
  user: CurrentUserDto;
  onNavigate?: () => void;
}

/** The folders this person may see, with the unread count of the inbox. */
export function SideNav({ user, onNavigate }: Props) {
  const styles = useStyles();
  const { data: totals } = useQuery(totalsQuery);
  const location = useLocation();
  const current = isFolder(location.pathname.split('/')[2]) ? folderOfLocation(location) : null;
  const unread = totals?.inbox.unread ?? 0;
  return (
    <nav aria-label="Folders">
      <ul className={styles.list}>
        {folderNames
          .filter((name) => isAllowed(user, name, 'view'))
          .map((name) => {
            const isActive = name === current;
            const Icon = isActive ? icons[name].active : icons[name].rest;
            return (
              <li key={name}>
                <Link
                  to={`/dashboard/${name}`}
                  className={mergeClasses(styles.item, isActive && styles.active)}
                  aria-current={isActive ? 'page' : undefined}
                  onClick={() => onNavigate?.()}
                >
                  <span className={mergeClasses(styles.icon, isActive && styles.activeIcon)} aria-hidden>
                    <Icon />
                  </span>
                  <Text className={styles.label} weight={isActive ? 'semibold' : 'regular'}>
                    {folderInfo[name].label}
                  </Text>
                  {name === 'inbox' && unread > 0 && (
                    <CounterBadge
                      count={unread}
                      overflowCount={999}
                      size="small"
                      aria-label={`${unread} unread`}
                      appearance="filled"
                      color="brand"
                    />
                  )}
                </Link>
              </li>
            );
          })}
      </ul>
    </nav>
  );
}
