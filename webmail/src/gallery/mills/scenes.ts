import { listMills } from './contract.ts';

/**
 * How the server of a sample list answers: how many mills it has, or how it fails. `live` can also
 * add and delete mills.
 */
export const millScenes = ['live', 'none', 'three', 'many', 'slow', 'failing'] as const;
export type MillScene = (typeof millScenes)[number];

/** The call of a sample list to the simulated server of a scene. */
export function listIn(scene: MillScene): typeof listMills {
  return { ...listMills, path: `${listMills.path}/${scene}` };
}
