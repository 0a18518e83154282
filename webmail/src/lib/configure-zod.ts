/**
 * Lets zod check values without code that it makes from text: the pages' policy forbids such code,
 * and browsers report each try. It has to be called before zod is loaded, and loads nothing itself.
 */
export function configureZod(): void {
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
}
