/** Beginning of the keys of all queries about roles. */
export const rolesKey = ['roles'] as const;
