import { modelNames, permissionActions } from '@selvage/core/contracts/permissions';
import type { RoleDto } from '@selvage/core/contracts/roles';
import { modelName } from '../../lib/model-name.ts';

/** The names of the modules in which a role may do something. */
export function permittedModels(permissions: RoleDto['permissions']): string[] {
  return permissions
    .filter((entry) => permissionActions.some((action) => entry[action]))
    .map(({ model }) => model)
    .toSorted((a, b) => placeOf(a) - placeOf(b) || a.localeCompare(b))
    .map(modelName);
}

/** Built-in modules in their order, then the added ones. */
function placeOf(model: string): number {
  const place = modelNames.findIndex((name) => name === model);
  return place < 0 ? modelNames.length : place;
}
