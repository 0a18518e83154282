/** The keys of everything that is stored in this browser. */
export const storageKeys = {
  /** The tokens of the logged-in person. */
  auth: 'selvage.auth',
  /** `light`, `dark` or `system`. */
  theme: 'selvage.theme',
  /** `comfortable`, `compact` or `relaxed`. */
  density: 'selvage.density',
  /** What the server keeps of the choices below, as this browser last took it. */
  choices: 'selvage.choices',
  /** What was chosen here and the server has not confirmed. */
  unsavedChoices: 'selvage.unsaved-choices',
  /** Which headings of the navigation are folded, and whether it is a rail of icons. */
  navigation: 'selvage.navigation',
  /** What the person searched for last. */
  searches: 'selvage.searches',
  /** How lists of mail and open messages behave. */
  mail: 'selvage.mail',
  /** Whether a message is written in a window or on the full screen. */
  compose: 'selvage.compose',
  /** Whether the desktop says that mail has come. */
  desktopNews: 'selvage.desktop-news',
  /** What was typed into the set-up of a company and is not saved. */
  onboarding: 'selvage.onboarding',
  /** Rows a page, by list. */
  pageSizes: 'selvage.page-sizes',
  /** The tab that renews the tokens for all tabs, when the browser has no locks. */
  refreshLock: 'selvage.refresh',
} as const;

/** The databases of unsent messages, and of their files. */
export const unsentDatabases = { messages: 'selvage-unsent', files: 'selvage-unsent-files' } as const;

/** The channel on which tabs tell each other which unsent message each of them has open. */
export const unsentChannel = 'selvage.unsent';

/**
 * The look of this device, which stays when a person logs out. All other keys belong to the person
 * and are removed.
 */
export const deviceKeys: ReadonlySet<string> = new Set([
  storageKeys.theme,
  storageKeys.density,
  storageKeys.navigation,
  storageKeys.pageSizes,
  storageKeys.mail,
  storageKeys.compose,
  storageKeys.desktopNews,
]);
