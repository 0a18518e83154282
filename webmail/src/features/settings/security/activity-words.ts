/** What the audit trail's words mean to the person whom they are about. */
const sentences: Record<string, string> = {
  'session:start': 'Signed in',
  'session:end': 'Signed out',
  'session:refused': 'A sign-in was refused',
  'session:reuse-detected': 'A session was ended because its key was used twice',
  'two-factor:on': 'Two-factor authentication was turned on',
  'two-factor:off': 'Two-factor authentication was turned off',
  'two-factor:refused': 'A wrong two-factor code was entered',
  'recovery-code:used': 'A recovery code was used',
  'recovery-codes:renewed': 'New recovery codes were made',
  'recovery-otp:sent': 'A code was mailed to the recovery e-mail',
  'recovery-otp:refused': 'A wrong code from the recovery e-mail was entered',
  'passkey:added': 'A passkey was added',
  'passkey:renamed': 'A passkey was renamed',
  'passkey:removed': 'A passkey was removed',
  'passkey:refused': 'A passkey was refused',
  'passkey:copied': 'A passkey was refused because it seems to be a copy',
  'password:changed': 'The password was changed',
  'password:reset-asked': 'A link to set a new password was asked for',
  'password:set-by-link': 'The password was set with a mailed link',
  'recovery-email:changed': 'The recovery e-mail was changed',
  'recovery-email:confirmed': 'The recovery e-mail was confirmed',
  'recovery-email:removed': 'The recovery e-mail was removed',
  'app-password:created': 'An app password was made',
  'app-password:removed': 'An app password was revoked',
  'signature:created': 'A signature was created',
  'signature:updated': 'A signature was changed',
  'signature:removed': 'A signature was deleted',
  'signature:chosen': 'The default signatures were chosen',
  'profile:updated': 'The profile was changed',
};

/** One event in plain words; of an event that is not known here, its own words. */
export function activityInWords(action: string): string {
  const known = sentences[action];
  if (known) return known;
  const [subject = '', verb = ''] = action.split(':').map((part) => part.replaceAll(/[-_]/g, ' ').trim());
  const words = [subject, verb].filter(Boolean).join(': ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
