import type { InferBody } from '@selvage/core/contracts/endpoint';
import type { updateUser } from '@selvage/core/contracts/users';

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
    // Browsers send line ends in forms as CRLF
    bio: emptyIsNone(body.bio?.replaceAll('\r\n', '\n')),
  };
}

/** The object without its undefined entries. */
export function definedOf<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function emptyIsNone(text: string | undefined): string | null | undefined {
  return text === '' ? null : text;
}
