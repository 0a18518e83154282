/*
 * Titles in the files that Google Workspace and Microsoft 365 export, as letters in lower case. A
 * company that moves here has such a file. A title that is in none of these lists is reported as a
 * problem, since it may be mistyped.
 */

type KnownField = 'email' | 'designation' | 'country';

/** Titles that other directories use for the columns of an import. */
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
 * Columns that tell which people are suspended in the other directory. An unknown value counts as
 * suspended: an import must not let a person who has left log in again. An administrator can
 * activate such a person with one click.
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

/**
 * The title of the column with display names. It names entries without a first name, such as the
 * shared mailboxes of Microsoft 365.
 */
export const displayNameTitle = 'displayname';

/**
 * Titles of columns that an import ignores, such as licences, and phone numbers, which may have any
 * format.
 */
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
