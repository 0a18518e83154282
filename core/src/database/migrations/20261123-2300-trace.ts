// Lets administrators find what became of a message, and keeps each attempt at its delivery.

/**
 * Addresses are searched without regard to case, which the ledger keeps as its peers wrote it. The
 * keys are computed by the database, so nothing that writes rows needs to know of them. Each index
 * has the company behind the time: the rows of other companies are passed over without reading
 * them, and rows of one address or domain are in the order of time for the whole host as well.
 *
 * One statement, so that a large table is copied once.
 */
export const statements = [
  `ALTER TABLE deliveries
    ADD COLUMN recipient_key VARCHAR(320) COLLATE utf8mb4_bin GENERATED ALWAYS AS (LOWER(recipient)) STORED,
    ADD COLUMN sender_key VARCHAR(320) COLLATE utf8mb4_bin GENERATED ALWAYS AS (LOWER(envelope_from)) STORED,
    ADD COLUMN sender_domain VARCHAR(320) COLLATE utf8mb4_bin
      GENERATED ALWAYS AS (LOWER(SUBSTRING_INDEX(envelope_from, '@', -1))) STORED,
    DROP KEY deliveries_recipient,
    ADD KEY deliveries_recipient (recipient_key, created_at, company_id),
    ADD KEY deliveries_sender (sender_key, created_at, company_id),
    ADD KEY deliveries_to_domain (recipient_domain, created_at, company_id),
    ADD KEY deliveries_from_domain (sender_domain, created_at, company_id)`,
  // An attempt that ends a delivery stands in the delivery's own row: most mail has none here
  `CREATE TABLE IF NOT EXISTS delivery_attempts (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    delivery_id BIGINT UNSIGNED NOT NULL,
    attempted_at DATETIME(3) NOT NULL,
    reason VARCHAR(40) NOT NULL,
    last_reply VARCHAR(1000),
    remote_host VARCHAR(255),
    tls ENUM('none', 'encrypted', 'mta_sts', 'dane', 'relay'),
    tls_protocol VARCHAR(10),
    KEY delivery_attempts_delivery (delivery_id, id),
    CONSTRAINT delivery_attempts_of FOREIGN KEY (delivery_id) REFERENCES deliveries (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
];
