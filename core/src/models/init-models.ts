import type { Sequelize } from 'sequelize';
import { initAddress } from './address.ts';
import { initAttachment } from './attachment.ts';
import { AuditEvent, initAuditEvent } from './audit-event.ts';
import { initBlockedSender } from './blocked-sender.ts';
import { Client, initClient } from './client.ts';
import { Company, initCompany } from './company.ts';
import { initCompanyArchive } from './company-archive.ts';
import { initCopiedEntry } from './copied-entry.ts';
import { initDelivery } from './delivery.ts';
import { initDkimKey } from './dkim-key.ts';
import { Domain, initDomain } from './domain.ts';
import { initDomainChange } from './domain-change.ts';
import { DomainHealth, initDomainHealth } from './domain-health.ts';
import { initDomainRecord } from './domain-record.ts';
import { initDraftAttachment } from './draft-attachment.ts';
import { initDraft } from './draft.ts';
import { initEnvironmentVariable } from './environment-variable.ts';
import { initExpungedEntry } from './expunged-entry.ts';
import { initFolder } from './folder.ts';
import { Group, initGroup } from './group.ts';
import { initGroupMember } from './group-member.ts';
import { initGrowthSlot, keepGrowth, keepGrowthOfAll } from './growth-slot.ts';
import { initIdempotencyKey } from './idempotency-key.ts';
import { initImageSender } from './image-sender.ts';
import { initMailCopy } from './mail-copy.ts';
import { initLabel } from './label.ts';
import { initMailFilter } from './mail-filter.ts';
import { initInvitationAnswer } from './invitation-answer.ts';
import { initMailboxEntry } from './mailbox-entry.ts';
import { initMessage } from './message.ts';
import { initModule } from './module.ts';
import { initOutboxRow } from './outbox-row.ts';
import { initRolePermission } from './role-permission.ts';
import { initRole, Role } from './role.ts';
import { initSession } from './session.ts';
import { initAppPassword } from './app-password.ts';
import { initOneTimeLink } from './one-time-link.ts';
import { initPasskey } from './passkey.ts';
import { initRecoveryCode } from './recovery-code.ts';
import { initSignature } from './signature.ts';
import { initUserPermission } from './user-permission.ts';
import { initUser, User } from './user.ts';
import { initVacation } from './vacation.ts';

/** Binds every model to a database. */
export function initModels(sequelize: Sequelize): void {
  initAddress(sequelize);
  initAttachment(sequelize);
  initBlockedSender(sequelize);
  initCompany(sequelize);
  initClient(sequelize);
  initCopiedEntry(sequelize);
  initDelivery(sequelize);
  initDkimKey(sequelize);
  initDomain(sequelize);
  initDomainChange(sequelize);
  initDomainHealth(sequelize);
  initDomainRecord(sequelize);
  initDraftAttachment(sequelize);
  initDraft(sequelize);
  initEnvironmentVariable(sequelize);
  initExpungedEntry(sequelize);
  initFolder(sequelize);
  initGroup(sequelize);
  initGroupMember(sequelize);
  initGrowthSlot(sequelize);
  initIdempotencyKey(sequelize);
  initImageSender(sequelize);
  initMailCopy(sequelize);
  initCompanyArchive(sequelize);
  initLabel(sequelize);
  initMailFilter(sequelize);
  initInvitationAnswer(sequelize);
  initMailboxEntry(sequelize);
  initMessage(sequelize);
  initModule(sequelize);
  initOutboxRow(sequelize);
  initRolePermission(sequelize);
  initRole(sequelize);
  initSession(sequelize);
  initAppPassword(sequelize);
  initOneTimeLink(sequelize);
  initPasskey(sequelize);
  initRecoveryCode(sequelize);
  initSignature(sequelize);
  initUserPermission(sequelize);
  initUser(sequelize);
  initVacation(sequelize);
  initAuditEvent(sequelize);
  associate();
  keepGrowth(User, 'users');
  keepGrowth(Client, 'clients');
  keepGrowthOfAll(Company);
}

/** Lists show the company and the person of a record by their names. */
function associate(): void {
  Role.belongsTo(Company, { as: 'company', foreignKey: 'companyId', constraints: false });
  Group.belongsTo(Company, { as: 'company', foreignKey: 'companyId', constraints: false });
  Domain.belongsTo(Company, { as: 'company', foreignKey: 'companyId', constraints: false });
  Domain.hasOne(DomainHealth, { as: 'healthRow', foreignKey: 'domainId', constraints: false });
  Client.belongsTo(Company, { as: 'company', foreignKey: 'companyId', constraints: false });
  AuditEvent.belongsTo(Company, { as: 'company', foreignKey: 'companyId', constraints: false });
  AuditEvent.belongsTo(User, { as: 'actor', foreignKey: 'actorId', constraints: false });
  AuditEvent.hasOne(AuditEvent, {
    as: 'actorErasure',
    sourceKey: 'actorId',
    foreignKey: 'entityId',
    scope: { entity: 'user', action: 'user:erased' },
    constraints: false,
  });
}
