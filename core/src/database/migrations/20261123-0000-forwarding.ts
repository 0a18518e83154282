// People forward their mail to an address that has agreed to it (D35).

/**
 * An address is used once its owner has agreed. The ledger says for which mailbox a copy leaves:
 * such rows are not those of the message's own sender.
 */
export const statements = [
  `ALTER TABLE users
    ADD COLUMN forward_to VARCHAR(254) COLLATE utf8mb4_bin,
    ADD COLUMN forward_confirmed_at DATETIME(3)`,
  `ALTER TABLE deliveries
    ADD COLUMN forwarded_for VARCHAR(254) COLLATE utf8mb4_bin`,
  `ALTER TABLE one_time_links
    MODIFY COLUMN purpose ENUM('set_password', 'confirm_recovery', 'confirm_forwarding') NOT NULL`,
];
