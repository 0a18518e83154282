import type { PermissionMatrix } from '@selvage/core/contracts/permission-matrix';
import type { Page, RecordName } from '../../lib/page.ts';
import { matrixKey } from '../../lib/record-keys.ts';

const common = { frame: 'shell', title: 'permissions', needs: { model: 'permission', action: 'view' } } as const;

function nameOfSubject(kind: 'role' | 'user', id: string): RecordName {
  return {
    queryKey: matrixKey({ kind, id }),
    nameOf: (data) => (data as PermissionMatrix | undefined)?.subject.name ?? null,
  };
}

export const permissionPages: Page[] = [
  {
    ...common,
    path: '/dashboard/role/permission/:id',
    record: ({ id = '' }) => nameOfSubject('role', id),
    load: () => import('./RolePermissionsPage.tsx'),
  },
  {
    ...common,
    path: '/dashboard/user/permission/:id',
    record: ({ id = '' }) => nameOfSubject('user', id),
    load: () => import('./UserPermissionsPage.tsx'),
  },
];
