/** Everything that is kept in this browser, under one name each. */
export const storageKeys = {
  /** The tokens of the signed-in person. */
  auth: 'selvage.auth',
  /** `light`, `dark` or `system`. */
  theme: 'selvage.theme',
  /** `comfortable` or `compact`. */
  density: 'selvage.density',
  /** Which headings of the navigation are folded, and whether it is a rail of icons. */
  navigation: 'selvage.navigation',
  /** Rows a page, by list. */
  pageSizes: 'selvage.page-sizes',
  /** The tab that renews the tokens for all, where the browser has no locks. */
  refreshLock: 'selvage.refresh',
} as const;

/** How this device looks: it stays when a person signs out. All other keys are the person's and go. */
export const deviceKeys: ReadonlySet<string> = new Set([
  storageKeys.theme,
  storageKeys.density,
  storageKeys.navigation,
  storageKeys.pageSizes,
]);
