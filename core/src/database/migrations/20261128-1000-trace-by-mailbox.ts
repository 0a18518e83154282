// The trace finds mail that an alias, a group or a catch-all led to a person by the address of
// their mailbox. The name of the index follows the others of the ledger.

export const statements = [
  `ALTER TABLE deliveries
    ADD KEY deliveries_mailbox (expanded_to, created_at, company_id), ALGORITHM=INPLACE, LOCK=NONE`,
];
