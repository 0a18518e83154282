import { fullName } from '@selvage/core/contracts/full-name';

/*
 * Keys of the queries about records. They stand apart from the calls, since the pages of all
 * features, which are in the first script, name their records by them.
 */

/** Beginnings of the keys of all queries about one kind of record. */
export const companiesKey = ['companies'] as const;
export const domainsKey = ['domains'] as const;
export const clientsKey = ['clients'] as const;
export const usersKey = ['users'] as const;
export const rolesKey = ['roles'] as const;
/** Backups that the person reads, with their mail. */
export const backupsKey = ['backups'] as const;
/** Where messages went. */
export const tracedKey = ['trace'] as const;
/** A change of a role's matrix concerns those of its people. */
export const matricesKey = ['permissions'] as const;

/** What forms let choose in a company, such as its roles and domains, and its seats. */
export const choicesKey = ['user-choices'] as const;

/** The key of one record. */
export function recordKey<K extends string>(kind: readonly [K], id: string) {
  return [...kind, 'record', id] as const;
}

/** The key of the setup guide of a domain, whose steps follow the DNS. */
export const guideKey = (domainId: string) => [...recordKey(domainsKey, domainId), 'guide'] as const;

/** The name of a record as a call answers it; null while there is none. */
export function nameIn(data: unknown): string | null {
  const record = data as { name?: string; fname: string; lname?: string | null } | undefined;
  return record ? (record.name ?? fullName(record)) : null;
}

/** The subject of a message as a call answers it; null while there is none. */
export function subjectIn(data: unknown): string | null {
  return (data as { subject: string } | undefined)?.subject.trim() || null;
}

/** A role or a person whose permissions are shown. */
export interface MatrixSubject {
  kind: 'role' | 'user';
  id: string;
}

/** The key of one matrix. */
export function matrixKey({ kind, id }: MatrixSubject) {
  return [...matricesKey, kind, id] as const;
}
