import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Params } from 'react-router-dom';
import type { PageTitle } from '../words/pages.ts';
import type { Requirement } from './can.ts';

/** What a page may fetch as soon as its code is there, before it is rendered. */
export interface FetchAheadContext {
  client: QueryClient;
  params: Params;
  search: URLSearchParams;
}

/** The module of a page. `fetchAhead` asks for the page's data beside the other requests of a first load. */
export interface PageModule {
  default: ComponentType;
  fetchAhead?: (context: FetchAheadContext) => void;
}

/** Headings of the navigation. `top` stands above them, without one. */
export type NavigationGroup = 'top' | 'mail' | 'organisation' | 'host';

export interface NavigationItem {
  group: NavigationGroup;
  /** Place within its group, ascending. */
  order: number;
  /** Names a drawing of `app/shell/navigation-icons.ts`. */
  icon: string;
  /** A count beside the label. */
  badge?: () => Promise<{ default: ComponentType }>;
}

/** Names the record that a page shows: a query that the page itself makes, of which the name is read. */
export interface RecordName {
  queryKey: readonly unknown[];
  /** The name, or null while the data does not tell. */
  nameOf: (data: unknown) => string | null;
}

/**
 * One screen, told once. The router, its guards, the navigation, the breadcrumbs, the title of the tab and what is
 * fetched ahead are all derived from it.
 */
export interface Page {
  /** Its whole path as React Router takes it, such as `/dashboard/inbox/:id`. */
  path: string;
  /**
   * Where it stands:
   * - `shell`: inside navigation and top bar, for people who are signed in;
   * - `alone`: without them, for people who are signed in;
   * - `signed-out`: for people who are not; others are sent where their role lands;
   * - `anyone`: for both, such as the target of a mailed link.
   */
  frame: 'shell' | 'alone' | 'signed-out' | 'anyone';
  load: () => Promise<PageModule>;
  /** Its name in the catalogue: title of the tab, breadcrumb, label of the navigation. */
  title: PageTitle;
  /** A shorter or other name for breadcrumb and navigation. */
  crumb?: PageTitle;
  /** Of a page about one record: names it in place of the title. */
  record?: (params: Params) => RecordName;
  /** Without it, the page says that it may not be opened. The server decides anew at each call. */
  needs?: Requirement;
  navigation?: NavigationItem;
  /** Likely to be opened next: fetched in a quiet moment. */
  isNext?: boolean;
}
