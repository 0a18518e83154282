import { ArchiveFilled, ArchiveRegular } from '@fluentui/react-icons/svg/archive';
import { BoxMultipleFilled, BoxMultipleRegular } from '@fluentui/react-icons/svg/box-multiple';
import { ClockFilled, ClockRegular } from '@fluentui/react-icons/svg/clock';
import { ClockAlarmFilled, ClockAlarmRegular } from '@fluentui/react-icons/svg/clock-alarm';
import { DeleteFilled, DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { DraftsFilled, DraftsRegular } from '@fluentui/react-icons/svg/drafts';
import { HomeFilled, HomeRegular } from '@fluentui/react-icons/svg/home';
import { MailInboxFilled, MailInboxRegular } from '@fluentui/react-icons/svg/mail-inbox';
import { MailProhibitedFilled, MailProhibitedRegular } from '@fluentui/react-icons/svg/mail-prohibited';
import { SendFilled, SendRegular } from '@fluentui/react-icons/svg/send';
import { StarFilled, StarRegular } from '@fluentui/react-icons/svg/star';
import { type ComponentType, createElement } from 'react';
import { lazyComponent } from '../../components/lazy-component.ts';
import type { ConsoleIcon, MailIcon, NavigationIcon } from '../../lib/page.ts';

export interface Drawing {
  rest: ComponentType;
  /** For the page that is open. */
  active: ComponentType;
}

export interface IconProps<Icon = NavigationIcon> {
  icon: Icon;
  isCurrent: boolean;
}

const drawings: Record<MailIcon, Drawing> = {
  home: { rest: HomeRegular, active: HomeFilled },
  inbox: { rest: MailInboxRegular, active: MailInboxFilled },
  snoozed: { rest: ClockAlarmRegular, active: ClockAlarmFilled },
  starred: { rest: StarRegular, active: StarFilled },
  sent: { rest: SendRegular, active: SendFilled },
  scheduled: { rest: ClockRegular, active: ClockFilled },
  draft: { rest: DraftsRegular, active: DraftsFilled },
  archive: { rest: ArchiveRegular, active: ArchiveFilled },
  junk: { rest: MailProhibitedRegular, active: MailProhibitedFilled },
  backup: { rest: BoxMultipleRegular, active: BoxMultipleFilled },
  trash: { rest: DeleteRegular, active: DeleteFilled },
};

const consoleIcons = lazyComponent<IconProps<ConsoleIcon>>(() => import('./ConsoleIcon.tsx'));

/** The icon of a page, by the name in its descriptor. */
export function PageIcon({ icon, isCurrent }: IconProps) {
  if (!isOfMail(icon)) return <LateIcon icon={icon} isCurrent={isCurrent} />;
  const Icon = isCurrent ? drawings[icon].active : drawings[icon].rest;
  return <Icon />;
}

function isOfMail(icon: NavigationIcon): icon is MailIcon {
  return icon in drawings;
}

/** Its place is empty until the icons of the console are there. */
function LateIcon(props: IconProps<ConsoleIcon>) {
  const Icon = consoleIcons.useComponent(leaveEmpty);
  return Icon && createElement(Icon, props);
}

/** The page has a name as well. */
function leaveEmpty(): void {}
