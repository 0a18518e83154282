// The provider's audit log is read in the order of its time. Before, each page sorted all events.

/** Built while events are written. */
export const statements = ['ALTER TABLE audit_events ADD KEY audit_created (created_at), ALGORITHM=INPLACE, LOCK=NONE'];
