import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import type { Params } from 'react-router-dom';
import type { PageTitle } from '../words/pages.ts';
import type { Requirement } from './can.ts';

/**
 * The context for data that a page fetches as soon as its code is loaded, before it is rendered.
 */
export interface FetchAheadContext {
  client: QueryClient;
  params: Params;
  search: URLSearchParams;
}

/**
 * The module of a page. `fetchAhead` fetches the page's data at the same time as the other requests
 * of a first load.
 */
export interface PageModule {
  default: ComponentType;
  fetchAhead?: (context: FetchAheadContext) => void;
}

/** Headings of the navigation. The pages of `top` come first, without a heading. */
export type NavigationGroup = 'top' | 'mail' | 'organisation' | 'host';

/** Drawn in `app/shell/PageIcon.tsx`, with the shell. */
export type MailIcon =
  | 'home'
  | 'inbox'
  | 'snoozed'
  | 'starred'
  | 'sent'
  | 'scheduled'
  | 'draft'
  | 'archive'
  | 'junk'
  | 'trash'
  | 'backup';

/** Drawn in `app/shell/ConsoleIcon.tsx`, which is fetched for people whose navigation has one. */
export type ConsoleIcon =
  | 'clients'
  | 'companies'
  | 'domains'
  | 'users'
  | 'groups'
  | 'roles'
  | 'trace'
  | 'queue'
  | 'auditLog'
  | 'modules';

export type NavigationIcon = MailIcon | ConsoleIcon;

/**
 * Props of the part below the pages of a group. It calls `onNavigate` when the person follows a
 * link in it.
 */
export interface BelowProps {
  onNavigate?: (() => void) | undefined;
}

export interface NavigationItem {
  group: NavigationGroup;
  /** Place within its group, ascending. */
  order: number;
  icon: NavigationIcon;
  /** On a phone, other pages come before it in the bottom bar. */
  isMinor?: true;
  /** A count beside the label. */
  badge?: () => Promise<{ default: ComponentType }>;
  /** A part that is shown below all pages of the group. */
  below?: () => Promise<{ default: ComponentType<BelowProps> }>;
}

/**
 * How to name the record that a page shows: a query of the page itself, from whose data the name is
 * read.
 */
export interface RecordName {
  queryKey: readonly unknown[];
  /** The name, or null while the data does not tell. */
  nameOf: (data: unknown) => string | null;
}

/**
 * The description of one screen. The router, its guards, the navigation, the breadcrumbs, the title
 * of the tab and what is fetched ahead are all derived from it.
 */
export interface Page {
  /** Its whole path in the form of React Router, such as `/dashboard/inbox/:id`. */
  path: string;
  /**
   * Where it is shown:
   * - `shell`: inside navigation and top bar, for people who are logged in;
   * - `alone`: without them, for people who are logged in;
   * - `signed-out`: for people who are not logged in; others are sent where their role leads;
   * - `anyone`: for both, such as the target of a mailed link.
   */
  frame: 'shell' | 'alone' | 'signed-out' | 'anyone';
  load: () => Promise<PageModule>;
  /** Its name in the catalogue: title of the tab, breadcrumb, label of the navigation. */
  title: PageTitle;
  /** A shorter or other name for breadcrumb and navigation. */
  crumb?: PageTitle;
  /** For a page about one record: its name replaces the title. */
  record?: (params: Params) => RecordName;
  /**
   * The right to open the page. Without the right the page says so. The server checks each call by
   * itself.
   */
  needs?: Requirement;
  /** Only people of the provider open it, whatever rights the others have. */
  isHostOnly?: boolean;
  navigation?: NavigationItem;
  /**
   * The surroundings of several pages, which stay while a person goes from one of those pages to
   * another.
   */
  around?: () => Promise<{ default: ComponentType<{ children: ReactNode }> }>;
  /** Likely to be opened next: fetched in a quiet moment. */
  isNext?: boolean;
}
