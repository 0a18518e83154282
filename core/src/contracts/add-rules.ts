/**
 * The flag that is needed to add a filter or a blocked sender. It has a file of its own, so that
 * the menu of a message need not load their contracts.
 */
export const addRules = { model: 'accountsettings', action: 'create' } as const;
