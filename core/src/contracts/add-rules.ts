/**
 * The flag that a filter and a blocked sender are added with. It stands apart from their contracts,
 * so that the menu of a message need not load those.
 */
export const addRules = { model: 'accountsettings', action: 'create' } as const;
