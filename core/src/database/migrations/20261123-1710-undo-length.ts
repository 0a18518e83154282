// People choose for how long they can take back what they send (D29).

/** Milliseconds; without a choice the host's own length counts. */
export const statements = ['ALTER TABLE users ADD COLUMN undo_ms INT UNSIGNED'];
