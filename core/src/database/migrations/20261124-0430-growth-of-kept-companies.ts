// The people and clients of a deleted company are not in the sum of all, as its domains are not.
// And people who were added by a file had not been counted.

const counted = (table: 'users' | 'clients'): string => `
  INSERT INTO growth_slots (company_id, slot_at, ${table})
  SELECT company_id, FROM_UNIXTIME(FLOOR(UNIX_TIMESTAMP(created_at) / 900) * 900), COUNT(*)
    FROM ${table} WHERE deleted_at IS NULL GROUP BY 1, 2
  ON DUPLICATE KEY UPDATE ${table} = VALUES(${table})`;

export const statements = [
  'UPDATE growth_slots SET users = 0, clients = 0',
  counted('users'),
  counted('clients'),
  `INSERT INTO growth_slots (company_id, slot_at, users, clients)
   SELECT 0, s.slot_at, SUM(s.users), SUM(s.clients)
     FROM growth_slots s JOIN companies c ON c.id = s.company_id
    WHERE c.deleted_at IS NULL GROUP BY s.slot_at
   ON DUPLICATE KEY UPDATE users = VALUES(users), clients = VALUES(clients)`,
];
