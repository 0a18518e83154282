import { listMills } from './contract.ts';

/**
 * What the server of a sample list does: how many mills it has, or how it fails. `live` also adds
 * and deletes.
 */
export const millScenes = ['live', 'none', 'three', 'many', 'slow', 'failing'] as const;
export type MillScene = (typeof millScenes)[number];

/** The call of a sample list, to a server of which the scene is given. */
export function listIn(scene: MillScene): typeof listMills {
  return { ...listMills, path: `${listMills.path}/${scene}` };
}
