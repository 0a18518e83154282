/**
 * The rows of the permission matrix that the code itself checks (D5). Others can be added, but
 * nothing checks them.
 */
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

/** Numbers of the built-in roles, which every company has (D3). */
export const builtInRole = { superAdmin: 0, admin: 1, user: 2 } as const;

/**
 * Flags that no person of a tenant can be given, since what they open is the provider's alone (D3):
 * other companies' figures, clients and the modules.
 */
export function isProviderOnly(model: string, action: PermissionAction): boolean {
  if (model === 'home') return action === 'create' || action === 'edit';
  return model === 'clients' || model === 'client' || model === 'module';
}

/**
 * Whether no call needs a flag, since a person creates nothing in these folders. Such flags are
 * stored as they were given, and not shown.
 */
export function gatesNothing(model: string, action: PermissionAction): boolean {
  return action === 'create' && ['inbox', 'starred', 'archive', 'trash'].includes(model);
}

/** Says whether a role's number is that of a built-in role. */
export function isBuiltInRole(roleNumber: number): boolean {
  return Object.values<number>(builtInRole).includes(roleNumber);
}
