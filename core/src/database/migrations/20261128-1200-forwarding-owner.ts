// Consent to forwarding counts for the owner who gave it: an address of the host can be given to
// another person, alias or group.

/**
 * A consent from before counts for the present owner of the address, or for the present catch-all
 * of its domain. A catch-all takes no mail for postmaster and abuse.
 */
export const statements = [
  'ALTER TABLE users ADD COLUMN forward_address_id BIGINT UNSIGNED',
  `UPDATE users SET forward_address_id = COALESCE(
     (SELECT a.id FROM addresses a WHERE a.address = forward_to),
     (SELECT a.id FROM addresses a WHERE a.address = REGEXP_REPLACE(forward_to, '[+].*@', '@')),
     (SELECT d.catch_all_id FROM domains d
       WHERE d.owned_name = SUBSTRING_INDEX(forward_to, '@', -1)
         AND SUBSTRING_INDEX(forward_to, '@', 1) NOT IN ('postmaster', 'abuse')))
    WHERE forward_to IS NOT NULL`,
];
