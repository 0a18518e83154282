import { AppsListFilled, AppsListRegular } from '@fluentui/react-icons/svg/apps-list';
import { ArrowRoutingFilled, ArrowRoutingRegular } from '@fluentui/react-icons/svg/arrow-routing';
import { BuildingFilled, BuildingRegular } from '@fluentui/react-icons/svg/building';
import { GlobeFilled, GlobeRegular } from '@fluentui/react-icons/svg/globe';
import { HistoryFilled, HistoryRegular } from '@fluentui/react-icons/svg/history';
import { HourglassFilled, HourglassRegular } from '@fluentui/react-icons/svg/hourglass';
import { PeopleFilled, PeopleRegular } from '@fluentui/react-icons/svg/people';
import { PeopleCommunityFilled, PeopleCommunityRegular } from '@fluentui/react-icons/svg/people-community';
import { PersonAccountsFilled, PersonAccountsRegular } from '@fluentui/react-icons/svg/person-accounts';
import { ShieldPersonFilled, ShieldPersonRegular } from '@fluentui/react-icons/svg/shield-person';
import type { ConsoleIcon as Name } from '../../lib/page.ts';
import type { Drawing, IconProps } from './PageIcon.tsx';

const drawings: Record<Name, Drawing> = {
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
};

/**
 * The icon of a page of the console. All of these are one file. The first screen of a person with
 * mail alone does not load it.
 */
export default function ConsoleIcon({ icon, isCurrent }: IconProps<Name>) {
  const Icon = isCurrent ? drawings[icon].active : drawings[icon].rest;
  return <Icon />;
}
