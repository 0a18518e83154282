import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import type { ComponentType } from 'react';
import { lazyExtra } from '../../components/lazy-extra.tsx';
import { mayOpen } from '../../lib/can.ts';
import type { BelowProps, NavigationGroup, NavigationItem, Page } from '../../lib/page.ts';
import { pages } from '../page-registry.ts';

/** A page with a place in the navigation. */
export type NavigationPage = Page & {
  navigation: NavigationItem;
  Badge: ComponentType | undefined;
  Below: ComponentType<BelowProps> | undefined;
};

export interface NavigationSection {
  group: NavigationGroup;
  items: NavigationPage[];
}

const groups: NavigationGroup[] = ['top', 'mail', 'organisation', 'host'];

const navigationPages: NavigationPage[] = pages.flatMap((page) => {
  const { navigation } = page;
  if (!navigation) return [];
  const { badge, below } = navigation;
  return [{ ...page, navigation, Badge: badge && lazyExtra(badge), Below: below && lazyExtra<BelowProps>(below) }];
});

/** The navigation of a person: the pages that they may see, under their headings. */
export function navigationOf(user: CurrentUserDto | undefined): NavigationSection[] {
  return sectionsOf(navigationPages.filter((page) => mayOpen(user, page)));
}

/** Pages under their headings, in their order. A heading without pages is left out. */
export function sectionsOf(pages: readonly NavigationPage[]): NavigationSection[] {
  return groups
    .map((group) => ({
      group,
      items: pages
        .filter(({ navigation }) => navigation.group === group)
        .toSorted((a, b) => a.navigation.order - b.navigation.order),
    }))
    .filter(({ items }) => items.length > 0);
}
