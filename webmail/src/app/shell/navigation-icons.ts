import { AppsListFilled, AppsListRegular } from '@fluentui/react-icons/svg/apps-list';
import { ArrowRoutingFilled, ArrowRoutingRegular } from '@fluentui/react-icons/svg/arrow-routing';
import { ArchiveFilled, ArchiveRegular } from '@fluentui/react-icons/svg/archive';
import { BoxMultipleFilled, BoxMultipleRegular } from '@fluentui/react-icons/svg/box-multiple';
import { BuildingFilled, BuildingRegular } from '@fluentui/react-icons/svg/building';
import { ClockFilled, ClockRegular } from '@fluentui/react-icons/svg/clock';
import { ClockAlarmFilled, ClockAlarmRegular } from '@fluentui/react-icons/svg/clock-alarm';
import { DeleteFilled, DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { DraftsFilled, DraftsRegular } from '@fluentui/react-icons/svg/drafts';
import { GlobeFilled, GlobeRegular } from '@fluentui/react-icons/svg/globe';
import { HistoryFilled, HistoryRegular } from '@fluentui/react-icons/svg/history';
import { HomeFilled, HomeRegular } from '@fluentui/react-icons/svg/home';
import { HourglassFilled, HourglassRegular } from '@fluentui/react-icons/svg/hourglass';
import { MailProhibitedFilled, MailProhibitedRegular } from '@fluentui/react-icons/svg/mail-prohibited';
import { MailInboxFilled, MailInboxRegular } from '@fluentui/react-icons/svg/mail-inbox';
import { PeopleFilled, PeopleRegular } from '@fluentui/react-icons/svg/people';
import { PeopleCommunityFilled, PeopleCommunityRegular } from '@fluentui/react-icons/svg/people-community';
import { PersonAccountsFilled, PersonAccountsRegular } from '@fluentui/react-icons/svg/person-accounts';
import { SendFilled, SendRegular } from '@fluentui/react-icons/svg/send';
import { ShieldPersonFilled, ShieldPersonRegular } from '@fluentui/react-icons/svg/shield-person';
import { StarFilled, StarRegular } from '@fluentui/react-icons/svg/star';
import type { ComponentType } from 'react';
import type { NavigationIcon } from '../../lib/page.ts';

interface Drawing {
  rest: ComponentType;
  /** For the page that is open. */
  active: ComponentType;
}

/**
 * Icons of the navigation, by the name in a page's descriptor. They are loaded with the shell, not
 * with the first script.
 */
export const navigationDrawings: Record<NavigationIcon, Drawing> = {
  home: { rest: HomeRegular, active: HomeFilled },
  inbox: { rest: MailInboxRegular, active: MailInboxFilled },
  snoozed: { rest: ClockAlarmRegular, active: ClockAlarmFilled },
  starred: { rest: StarRegular, active: StarFilled },
  sent: { rest: SendRegular, active: SendFilled },
  scheduled: { rest: ClockRegular, active: ClockFilled },
  draft: { rest: DraftsRegular, active: DraftsFilled },
  archive: { rest: ArchiveRegular, active: ArchiveFilled },
  junk: { rest: MailProhibitedRegular, active: MailProhibitedFilled },
  clients: { rest: PersonAccountsRegular, active: PersonAccountsFilled },
  companies: { rest: BuildingRegular, active: BuildingFilled },
  domains: { rest: GlobeRegular, active: GlobeFilled },
  roles: { rest: ShieldPersonRegular, active: ShieldPersonFilled },
  groups: { rest: PeopleCommunityRegular, active: PeopleCommunityFilled },
  users: { rest: PeopleRegular, active: PeopleFilled },
  queue: { rest: HourglassRegular, active: HourglassFilled },
  trace: { rest: ArrowRoutingRegular, active: ArrowRoutingFilled },
  auditLog: { rest: HistoryRegular, active: HistoryFilled },
  modules: { rest: AppsListRegular, active: AppsListFilled },
  backup: { rest: BoxMultipleRegular, active: BoxMultipleFilled },
  trash: { rest: DeleteRegular, active: DeleteFilled },
};
