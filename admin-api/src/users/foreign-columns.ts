/*
 * Titles of the files that Google Workspace and Microsoft 365 export, as letters in lower case. A
 * company that moves here has such a file. A title that is in none of these lists is a problem, as
 * it may be a mistyped one.
 */

type KnownField = 'email' | 'designation' | 'country';

/** Titles that mean a column of an import. */
export const otherTitles: ReadonlyMap<string, KnownField> = new Map<string, KnownField>([
  ['emailaddress', 'email'],
  ['userprincipalname', 'email'],
  ['username', 'email'],
  ['employeetitle', 'designation'],
  ['jobtitle', 'designation'],
  ['title', 'designation'],
  ['countryorregion', 'country'],
  ['countryregion', 'country'],
]);

/**
 * Columns that tell which people are suspended there. A value that is not known counts as
 * suspended: a person who left must not be able to log in again by a move, and an administrator
 * activates one who is added as inactive by a click.
 */
export const suspensionTitles: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ['status', isNotActive],
  ['newstatus', isNotActive],
  ['blockcredential', (value: string) => !['', 'false', 'no', '0'].includes(value.toLowerCase())],
  ['softdeletiontimestamp', (value: string) => value !== ''],
]);

function isNotActive(value: string): boolean {
  return !['', 'active'].includes(value.toLowerCase());
}

/** Names those who have no first name there, as the shared mailboxes of Microsoft 365. */
export const displayNameTitle = 'displayname';

/** Titles of what an import has no place for, such as licences, and numbers in any form. */
export const leftOutTitles: ReadonlySet<string> = new Set(
  [
    // Google Workspace
    'Password, Password Hash Function, Org Unit Path, New Primary Email, Recovery Email, Home Secondary Email',
    'Work Secondary Email, Recovery Phone, Work Phone, Home Phone, Mobile Phone, Work Address, Home Address',
    'Employee ID, Employee Type, Manager Email, Department, Cost Center, Building ID, Floor Name, Floor Section',
    'Change Password at Next Sign-In, Last Sign In, sv Enrolled, sv Enforced, Email Usage',
    'Drive Usage, Photos Usage, Total Storage, Storage Used, Storage Limit, Licenses, New Licenses',
    'Advanced Protection Program enrollment',
    // Microsoft 365
    'City, DirSyncEnabled, Fax, Last dirsync time, Last password change time stamp',
    'License assignment details, OathTokenMetadata, Object Id, Office, Office number, Office phone, Address',
    'Password never expires, Phone number, Postal code, Preferred data location, Preferred language',
    'Proxy addresses, Release track, State, State or province, ZIP or postal code',
    'Street address, Strong password required, Usage location, When created, Alternate email address',
  ].flatMap((titles) => titles.split(', ').map((title) => title.toLowerCase().replaceAll(/[^a-z]/g, ''))),
);
