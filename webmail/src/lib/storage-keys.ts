/**
 * The keys of everything that is stored in this browser, but for those in
 * `further-storage-keys.ts`.
 */
export const storageKeys = {
  /** The tokens of the logged-in person. */
  auth: 'selvage.auth',
  /** `light`, `dark` or `system`. */
  theme: 'selvage.theme',
  /** `comfortable`, `compact` or `relaxed`. */
  density: 'selvage.density',
  /** Which headings of the navigation are folded, and whether it is a rail of icons. */
  navigation: 'selvage.navigation',
  /** How lists of mail and open messages behave. */
  mail: 'selvage.mail',
  /** Whether a message is written in a window or on the full screen. */
  compose: 'selvage.compose',
  /** `plain` when messages begin as plain text. */
  writing: 'selvage.writing',
  /** Whether the desktop says that mail has come. */
  desktopNews: 'selvage.desktop-news',
  /** Rows a page, by list. */
  pageSizes: 'selvage.page-sizes',
  /** The tab that renews the tokens for all tabs, when the browser has no locks. */
  refreshLock: 'selvage.refresh',
} as const;

/**
 * The prefix of the keys for unsent messages. They stay until their writer is back, as the messages
 * in the database do.
 */
export const OF_UNSENT = 'selvage.unsent';

/**
 * Settings of this device, which stay when a person logs out. All other keys but those of
 * `OF_UNSENT` belong to the person and are removed.
 */
export const deviceKeys: ReadonlySet<string> = new Set([
  storageKeys.theme,
  storageKeys.density,
  storageKeys.navigation,
  storageKeys.pageSizes,
  storageKeys.mail,
  storageKeys.compose,
  storageKeys.writing,
  storageKeys.desktopNews,
]);
