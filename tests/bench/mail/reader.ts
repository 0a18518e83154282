import type { EmailRowDto } from '@selvage/core/contracts/email';
import type { Envelope } from '@selvage/core/contracts/endpoint';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { User } from '@selvage/core/models/user';
import { openSession } from '../../../admin-api/src/auth/sessions.ts';
import { signAccessToken } from '../../../admin-api/src/auth/tokens.ts';

/** A logged-in person who calls the API as the web app does. */
export interface Reader {
  userId: string;
  token: string;
  refreshToken: string;
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Rows of the inbox. */
  inbox(query: string): Promise<EmailRowDto[]>;
}

/** Opens a session for a person without the login page, whose limits would refuse a crowd. */
export async function openReader(app: App, url: string, userId: string): Promise<Reader> {
  const user = await User.findByPk(userId, { rejectOnEmpty: true });
  const opened = await openSession(systemContext(app), user, { userAgent: 'bench', isConfirmed: false });
  if (opened === 'limit_reached') throw new Error('the person has too many sessions');
  const { sessionKey } = opened.session;
  const { token } = await signAccessToken(app, { userId, sessionKey, tokenVersion: user.tokenVersion });
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Envelope<T>;
    if (!answer.success) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
    return answer.data as T;
  };
  const inbox = (query: string) => call<EmailRowDto[]>('GET', `/mail/get/sent/by_user?received_status=true&${query}`);
  return { userId, token, refreshToken: opened.refreshToken, call, inbox };
}
