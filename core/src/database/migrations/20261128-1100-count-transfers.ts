// Transfers are counted by the end of their leases. A dump of the database keeps the rows of all
// transfers that have ended since it began, and each claim read them all.

export const statements = [
  `ALTER TABLE outbound_transfers ADD KEY outbound_transfers_lease (lease_until, domain),
    ALGORITHM=INPLACE, LOCK=NONE`,
];
