// Consent to forwarding counts for the owner who gave it: an address of the host can be given to
// another person, alias or group.

/** A consent from before counts for the present owner of the address. */
export const statements = [
  'ALTER TABLE users ADD COLUMN forward_address_id BIGINT UNSIGNED',
  `UPDATE users SET forward_address_id = COALESCE(
     (SELECT a.id FROM addresses a WHERE a.address = forward_to),
     (SELECT a.id FROM addresses a WHERE a.address = REGEXP_REPLACE(forward_to, '[+].*@', '@')))
    WHERE forward_to IS NOT NULL`,
];
