/** A role or a person whose permissions are shown. */
export interface MatrixSubject {
  kind: 'role' | 'user';
  id: string;
}

/** Beginning of the keys of all queries about matrices: a role's change concerns its people's. */
export const matricesKey = ['permissions'] as const;

/** The key of one matrix. */
export function matrixKey({ kind, id }: MatrixSubject) {
  return [...matricesKey, kind, id] as const;
}
