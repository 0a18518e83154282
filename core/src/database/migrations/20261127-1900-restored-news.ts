// A host that was restored may stand beside the old one for a trial: its alarms wait like other
// outgoing mail, until its operator says that it takes the place of the old one.

export const statements = ['ALTER TABLE host_state ADD COLUMN holds_alarms TINYINT(1) NOT NULL DEFAULT 0'];
