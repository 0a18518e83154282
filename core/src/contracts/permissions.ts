/** The rows of the permission matrix that the product itself gates on (spec 1 section 6). Others can be added, but gate nothing. */
export const modelNames = [
  'home',
  'clients',
  'client',
  'company',
  'domain',
  'role',
  'user',
  'module',
  'permission',
  'inbox',
  'starred',
  'sent',
  'archive',
  'draft',
  'trash',
  'backup',
  'accountsettings',
  'profile',
] as const;
export type ModelName = (typeof modelNames)[number];

/** The flags of a row of the matrix. */
export const permissionActions = ['view', 'create', 'edit', 'delete'] as const;
export type PermissionAction = (typeof permissionActions)[number];

/** Numbers of the roles that every company has and nobody can edit (D3). */
export const builtInRole = { superAdmin: 0, admin: 1, user: 2 } as const;
