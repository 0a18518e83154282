import * as auth from './auth.ts';
import type { Endpoint } from './endpoint.ts';
import * as mail from './mail.ts';

/** Every call of the API. The router binds exactly these, the API document lists them, the authorisation tests walk them. */
export const endpoints: Record<string, Endpoint> = {
  getCaptcha: auth.getCaptcha,
  login: auth.login,
  refresh: auth.refresh,
  getCurrentUser: auth.getCurrentUser,
  getActiveSessions: auth.getActiveSessions,
  logout: auth.logout,
  listEmails: mail.listEmails,
  getEmail: mail.getEmail,
  getFolderTotals: mail.getFolderTotals,
  changeStatus: mail.changeStatus,
  sendEmail: mail.sendEmail,
  replyOrForward: mail.replyOrForward,
  undoSend: mail.undoSend,
  getDraft: mail.getDraft,
};
