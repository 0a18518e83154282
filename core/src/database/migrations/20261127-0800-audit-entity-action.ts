// What administrators did to an account is found beside any number of refused logins to it.

/** Built while events are written. */
export const statements = [
  `ALTER TABLE audit_events
    ADD KEY audit_entity_action (entity, entity_id, action, created_at), ALGORITHM=INPLACE, LOCK=NONE`,
];
