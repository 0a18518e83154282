// The trace finds mail by the address of a mailbox, also where an alias, a group or a catch-all led
// it there.

export const statements = [
  `ALTER TABLE deliveries
    ADD KEY deliveries_mailbox (expanded_to, created_at, company_id), ALGORITHM=INPLACE, LOCK=NONE`,
];
