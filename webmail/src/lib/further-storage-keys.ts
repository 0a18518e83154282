/*
 * Further keys of what is stored in this browser. They stand outside of the first script, which has
 * no use for them.
 */

export const furtherStorageKeys = {
  /** What the server keeps of the person's choices, as this browser last took it. */
  choices: 'selvage.choices',
  /** What was chosen here and the server has not confirmed. */
  unsavedChoices: 'selvage.unsaved-choices',
  /** What the person searched for last. */
  searches: 'selvage.searches',
  /** What was typed into the setup of a company and is not saved. */
  onboarding: 'selvage.onboarding',
} as const;

/** The databases of unsent messages, and of their files. */
export const unsentDatabases = { messages: 'selvage-unsent', files: 'selvage-unsent-files' } as const;

/** The channel on which tabs tell each other which unsent message each of them has open. */
export const UNSENT_CHANNEL = 'selvage.unsent';
