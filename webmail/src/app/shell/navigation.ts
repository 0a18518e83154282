import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { can } from '../../lib/can.ts';
import type { NavigationGroup, NavigationItem, Page } from '../../lib/page.ts';
import { pages } from '../page-registry.ts';

export type NavigationPage = Page & { navigation: NavigationItem };

export interface NavigationSection {
  group: NavigationGroup;
  items: NavigationPage[];
}

const groups: NavigationGroup[] = ['top', 'mail', 'organisation', 'host'];

function isInNavigation(page: Page): page is NavigationPage {
  return page.navigation !== undefined;
}

/** The navigation of a person: the pages that they may see, under their headings. A heading without pages is left out. */
export function navigationOf(user: CurrentUserDto | undefined): NavigationSection[] {
  const visible = pages.filter(isInNavigation).filter(({ needs }) => !needs || can(user, needs));
  return groups
    .map((group) => ({
      group,
      items: visible
        .filter(({ navigation }) => navigation.group === group)
        .toSorted((a, b) => a.navigation.order - b.navigation.order),
    }))
    .filter(({ items }) => items.length > 0);
}
