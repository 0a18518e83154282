import type { InferBody } from '@selvage/core/contracts/endpoint';
import { isPersonName, notAName } from '@selvage/core/contracts/person-name';
import type { updateUser } from '@selvage/core/contracts/users';
import { invalid } from '@selvage/core/errors';
import type { User } from '@selvage/core/models/user';

/** Fields that a person and an administrator may change, by the attribute that each fills. */
export const profileFields = {
  fname: 'fname',
  lname: 'lname',
  phoneNumber: 'phone_number',
  country: 'country',
  designation: 'designation',
  bio: 'bio',
} as const;

/** The values of these fields. Fields that were not sent are undefined. */
export function profileValues(body: InferBody<typeof updateUser>) {
  return {
    fname: body.fname,
    lname: body.lname,
    phoneNumber: emptyIsNone(body.phone_number),
    country: emptyIsNone(body.country),
    designation: emptyIsNone(body.designation),
    bio: emptyIsNone(body.bio),
  };
}

/**
 * Refuses a changed name with signs that names do not have. Forms also send the names that a person
 * has already, and those stay, wherever they came from.
 * @throws 422
 */
export function checkNames(user: Pick<User, 'fname' | 'lname'>, changes: { fname?: string; lname?: string }): void {
  const isWrong = (field: 'fname' | 'lname') => changes[field] !== user[field] && !isPersonName(changes[field]);
  const problems = {
    ...(isWrong('fname') ? { fname: notAName('First name') } : {}),
    ...(isWrong('lname') ? { lname: notAName('Last name') } : {}),
  };
  if (Object.keys(problems).length > 0) throw invalid(problems);
}

/**
 * Refuses another domain, since the address names the mailbox. Forms also send the present one.
 * @throws 422
 */
export function checkDomain({ domainId }: Pick<User, 'domainId'>, given: string | undefined): void {
  if (given === undefined || given === String(domainId ?? '')) return;
  const text = 'The domain is part of the address and cannot be changed';
  throw invalid({ domain_id: text }, text);
}

/** The object without its undefined entries. */
export function definedOf<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function emptyIsNone(text: string | undefined): string | null | undefined {
  return text === '' ? null : text;
}
