import * as account from './account.ts';
import * as aliases from './aliases.ts';
import * as auditLog from './audit-log.ts';
import * as auth from './auth.ts';
import * as catchAll from './catch-all.ts';
import * as choices from './choices.ts';
import * as clientErrors from './client-errors.ts';
import * as clients from './clients.ts';
import * as companies from './companies.ts';
import * as companyArchives from './company-archives.ts';
import * as dashboard from './dashboard.ts';
import * as domainCheck from './domain-check.ts';
import * as domainGuard from './domain-guard.ts';
import * as domains from './domains.ts';
import type { Endpoint } from './endpoint.ts';
import * as environment from './environment.ts';
import * as forwarding from './forwarding.ts';
import * as groups from './groups.ts';
import * as drafts from './drafts.ts';
import * as imageSenders from './image-senders.ts';
import * as invitations from './invitations.ts';
import * as labels from './labels.ts';
import * as ledgerProof from './ledger-proof.ts';
import * as ownFolders from './own-folders.ts';
import * as mail from './mail.ts';
import * as mailAccess from './mail-access.ts';
import * as mailBackups from './mail-backups.ts';
import * as mailFolders from './mail-folders.ts';
import * as mailRules from './mail-rules.ts';
import * as mailSettings from './mail-settings.ts';
import * as manyUsers from './many-users.ts';
import * as postalCode from './postal-code.ts';
import * as modules from './modules.ts';
import * as morning from './morning.ts';
import * as permissionMatrix from './permission-matrix.ts';
import * as queue from './queue.ts';
import * as recipients from './recipients.ts';
import * as roles from './roles.ts';
import * as scheduled from './scheduled.ts';
import * as snooze from './snooze.ts';
import * as search from './search.ts';
import * as setupGuide from './setup-guide.ts';
import * as sentDeliveries from './sent-deliveries.ts';
import * as signatures from './signatures.ts';
import * as trace from './trace.ts';
import * as twoFactor from './two-factor.ts';
import * as users from './users.ts';
import * as vacation from './vacation.ts';
import * as wholeFolders from './whole-folders.ts';

/**
 * Every call of the API. The router binds exactly these, the API document lists them, and the
 * authorisation tests check each of them.
 */
export const endpoints: Record<string, Endpoint> = {
  getCaptcha: auth.getCaptcha,
  getCaptchaSound: auth.getCaptchaSound,
  login: auth.login,
  refresh: auth.refresh,
  getCurrentUser: auth.getCurrentUser,
  getActiveSessions: auth.getActiveSessions,
  logout: auth.logout,
  verifyPassword: twoFactor.verifyPassword,
  verifyOtp: twoFactor.verifyOtp,
  sendRecoveryOtp: twoFactor.sendRecoveryOtp,
  verifyRecoveryOtp: twoFactor.verifyRecoveryOtp,
  renewRecoveryCodes: twoFactor.renewRecoveryCodes,
  confirmSession: twoFactor.confirmSession,
  beginPasskeyProof: twoFactor.beginPasskeyProof,
  listPasskeys: twoFactor.listPasskeys,
  beginPasskey: twoFactor.beginPasskey,
  addPasskey: twoFactor.addPasskey,
  renamePasskey: twoFactor.renamePasskey,
  removePasskey: twoFactor.removePasskey,
  beginPasskeySignIn: twoFactor.beginPasskeySignIn,
  verifyPasskey: twoFactor.verifyPasskey,
  changePassword: account.changePassword,
  forgotPassword: account.forgotPassword,
  checkPasswordLink: account.checkPasswordLink,
  setPassword: account.setPassword,
  setRecoveryEmail: account.setRecoveryEmail,
  resendRecoveryLink: account.resendRecoveryLink,
  confirmRecoveryEmail: account.confirmRecoveryEmail,
  setForwarding: forwarding.setForwarding,
  setForwardingScope: forwarding.setForwardingScope,
  stopForwarding: forwarding.stopForwarding,
  resendForwardingLink: forwarding.resendForwardingLink,
  confirmForwarding: forwarding.confirmForwarding,
  stopUserForwarding: forwarding.stopUserForwarding,
  listAppPasswords: account.listAppPasswords,
  createAppPassword: account.createAppPassword,
  removeAppPassword: account.removeAppPassword,
  listActivity: account.listActivity,
  readMailAccess: mailAccess.readMailAccess,
  createSignature: signatures.createSignature,
  updateSignature: signatures.updateSignature,
  listSignatures: signatures.listSignatures,
  setSignaturePreferences: signatures.setSignaturePreferences,
  removeSignature: signatures.removeSignature,
  saveChoices: choices.saveChoices,
  setUndoLength: mailSettings.setUndoLength,
  listImageSenders: imageSenders.listImageSenders,
  addImageSender: imageSenders.addImageSender,
  removeImageSender: imageSenders.removeImageSender,
  listBlocked: mailRules.listBlocked,
  blockSender: mailRules.blockSender,
  unblockSender: mailRules.unblockSender,
  listFilters: mailRules.listFilters,
  createFilter: mailRules.createFilter,
  updateFilter: mailRules.updateFilter,
  orderFilters: mailRules.orderFilters,
  countFitting: mailRules.countFitting,
  applyFilter: mailRules.applyFilter,
  removeFilter: mailRules.removeFilter,
  getVacation: vacation.getVacation,
  setVacation: vacation.setVacation,
  stopVacation: vacation.stopVacation,
  listUsers: users.listUsers,
  listUserNames: users.listUserNames,
  getUser: users.getUser,
  getUserChoices: users.getUserChoices,
  createUser: users.createUser,
  changeManyUsers: manyUsers.changeManyUsers,
  importUsers: manyUsers.importUsers,
  getImportProgress: manyUsers.getImportProgress,
  updateUser: users.updateUser,
  listUserSessions: users.listUserSessions,
  endUserSessions: users.endUserSessions,
  requireNewPassword: users.requireNewPassword,
  turnOffUserTwoFactor: users.turnOffUserTwoFactor,
  removeUser: users.removeUser,
  restoreUser: users.restoreUser,
  eraseUser: users.eraseUser,
  listAliases: aliases.listAliases,
  createAlias: aliases.createAlias,
  removeAlias: aliases.removeAlias,
  listGroups: groups.listGroups,
  getGroup: groups.getGroup,
  createGroup: groups.createGroup,
  updateGroup: groups.updateGroup,
  removeGroup: groups.removeGroup,
  listCatchAlls: catchAll.listCatchAlls,
  getCatchAll: catchAll.getCatchAll,
  setCatchAll: catchAll.setCatchAll,
  listEmails: mail.listEmails,
  searchMail: search.searchMail,
  getEmail: mail.getEmail,
  listSentDeliveries: sentDeliveries.listSentDeliveries,
  getFolderTotals: mailFolders.getFolderTotals,
  changeStatus: mailFolders.changeStatus,
  sendEmail: mail.sendEmail,
  replyOrForward: mail.replyOrForward,
  findSent: mail.findSent,
  undoSend: mail.undoSend,
  listScheduled: scheduled.listScheduled,
  reschedule: scheduled.reschedule,
  sendScheduledNow: scheduled.sendScheduledNow,
  findRecipients: recipients.findRecipients,
  forgetRecipient: recipients.forgetRecipient,
  snooze: snooze.snooze,
  remindMe: snooze.remindMe,
  answerInvitation: invitations.answerInvitation,
  unsubscribe: mail.unsubscribe,
  emptyTrash: mailFolders.emptyTrash,
  emptyJunk: mailFolders.emptyJunk,
  markFolder: mailFolders.markFolder,
  changeFolder: mailFolders.changeFolder,
  moveFolder: wholeFolders.moveFolder,
  labelFolder: wholeFolders.labelFolder,
  listLabels: labels.listLabels,
  createLabel: labels.createLabel,
  updateLabel: labels.updateLabel,
  removeLabel: labels.removeLabel,
  changeLabels: labels.changeLabels,
  listOwnFolders: ownFolders.listOwnFolders,
  createOwnFolder: ownFolders.createOwnFolder,
  renameOwnFolder: ownFolders.renameOwnFolder,
  removeOwnFolder: ownFolders.removeOwnFolder,
  moveMessages: ownFolders.moveMessages,
  listDrafts: drafts.listDrafts,
  getDraft: drafts.getDraft,
  saveDraft: drafts.saveDraft,
  removeDrafts: drafts.removeDrafts,
  giveBackup: mailBackups.giveBackup,
  getBackupProgress: mailBackups.getBackupProgress,
  listBackups: mailBackups.listBackups,
  getBackupEmail: mailBackups.getBackupEmail,
  removeBackup: mailBackups.removeBackup,
  listBackupReaders: mailBackups.listBackupReaders,
  listClients: clients.listClients,
  getClient: clients.getClient,
  createClient: clients.createClient,
  updateClient: clients.updateClient,
  sendCredentials: clients.sendCredentials,
  removeClient: clients.removeClient,
  restoreClient: clients.restoreClient,
  eraseClient: clients.eraseClient,
  listCompanies: companies.listCompanies,
  listAllCompanies: companies.listAllCompanies,
  getCompany: companies.getCompany,
  createCompany: companies.createCompany,
  updateCompany: companies.updateCompany,
  removeCompany: companies.removeCompany,
  restoreCompany: companies.restoreCompany,
  eraseCompany: companies.eraseCompany,
  listArchives: companyArchives.listArchives,
  makeArchive: companyArchives.makeArchive,
  linkArchive: companyArchives.linkArchive,
  removeArchive: companyArchives.removeArchive,
  getGrowth: dashboard.getGrowth,
  getMailDay: dashboard.getMailDay,
  getLedgerProof: ledgerProof.getLedgerProof,
  getStorageUse: morning.getStorageUse,
  getRefusedSignIns: morning.getRefusedSignIns,
  getHostHealth: morning.getHostHealth,
  listAuditEvents: auditLog.listAuditEvents,
  listTraced: trace.listTraced,
  getStory: trace.getStory,
  listQueue: queue.listQueue,
  changeQueue: queue.changeQueue,
  changeDelivery: queue.changeDelivery,
  lookUpPostalCode: postalCode.lookUpPostalCode,
  listRoles: roles.listRoles,
  getRole: roles.getRole,
  createRole: roles.createRole,
  updateRole: roles.updateRole,
  requireTwoFactor: roles.requireTwoFactor,
  removeRole: roles.removeRole,
  restoreRole: roles.restoreRole,
  eraseRole: roles.eraseRole,
  getPermissions: permissionMatrix.getPermissions,
  changePermissions: permissionMatrix.changePermissions,
  resetPermissions: permissionMatrix.resetPermissions,
  listModules: modules.listModules,
  createModule: modules.createModule,
  updateModule: modules.updateModule,
  removeModule: modules.removeModule,
  listEnvironment: environment.listEnvironment,
  createVariable: environment.createVariable,
  updateVariable: environment.updateVariable,
  removeVariable: environment.removeVariable,
  revealVariable: environment.revealVariable,
  restartHost: environment.restartHost,
  getRestart: environment.getRestart,
  reportClientError: clientErrors.reportClientError,
  listDomains: domains.listDomains,
  getDomain: domains.getDomain,
  createDomain: domains.createDomain,
  updateDomain: domains.updateDomain,
  removeDomain: domains.removeDomain,
  restoreDomain: domains.restoreDomain,
  eraseDomain: domains.eraseDomain,
  verifyDomain: domains.verifyDomain,
  vouchForDomain: domains.vouchForDomain,
  generateOpenDkim: domains.generateOpenDkim,
  checkDns: domainCheck.checkDns,
  listDomainHealth: domainGuard.listDomainHealth,
  listDomainChanges: domainGuard.listDomainChanges,
  tryRecord: domainGuard.tryRecord,
  removeDkimKey: domains.removeDkimKey,
  compareDomainRecords: domains.compareDomainRecords,
  getSetupGuide: setupGuide.getSetupGuide,
};
