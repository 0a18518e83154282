import type { Sequelize } from 'sequelize';
import { initAttachment } from './attachment.ts';
import { initAuditEvent } from './audit-event.ts';
import { initClient } from './client.ts';
import { initCompany } from './company.ts';
import { initDelivery } from './delivery.ts';
import { initDkimKey } from './dkim-key.ts';
import { initDomain } from './domain.ts';
import { initDraftAttachment } from './draft-attachment.ts';
import { initDraft } from './draft.ts';
import { initFolderTotal } from './folder-total.ts';
import { initMailboxEntry } from './mailbox-entry.ts';
import { initMessage } from './message.ts';
import { initModule } from './module.ts';
import { initOutboxRow } from './outbox-row.ts';
import { initRolePermission } from './role-permission.ts';
import { initRole } from './role.ts';
import { initSession } from './session.ts';
import { initUserPermission } from './user-permission.ts';
import { initUser } from './user.ts';

/** Binds every model to a database. */
export function initModels(sequelize: Sequelize): void {
  initAttachment(sequelize);
  initAuditEvent(sequelize);
  initClient(sequelize);
  initCompany(sequelize);
  initDelivery(sequelize);
  initDkimKey(sequelize);
  initDomain(sequelize);
  initDraftAttachment(sequelize);
  initDraft(sequelize);
  initFolderTotal(sequelize);
  initMailboxEntry(sequelize);
  initMessage(sequelize);
  initModule(sequelize);
  initOutboxRow(sequelize);
  initRolePermission(sequelize);
  initRole(sequelize);
  initSession(sequelize);
  initUserPermission(sequelize);
  initUser(sequelize);
}
