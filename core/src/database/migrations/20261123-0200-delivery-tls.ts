// The ledger says how the connection to a remote server was protected (D37).

/** What is known of deliveries from now on; of older ones nothing is. */
export const statements = [
  `ALTER TABLE deliveries
    ADD COLUMN tls ENUM('none', 'encrypted', 'mta_sts', 'dane', 'relay'),
    ADD COLUMN tls_protocol VARCHAR(10)`,
];
