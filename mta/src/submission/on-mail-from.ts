import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { isOwnAddress } from '@selvage/core/directory/own-address';
import type { User } from '@selvage/core/models/user';
import type { Reply } from '../reply.ts';

/**
 * The reply that refuses MAIL FROM, or null. A person sends from the account's own address and its
 * aliases only.
 */
export async function checkOwnAddress(app: App, address: string, user: User): Promise<Reply | null> {
  if (await isOwnAddress(systemContext(app), user, address)) return null;
  return {
    code: 553,
    enhancedCode: '5.7.1',
    text: 'You can send from your own address and your aliases only',
    reason: 'not_allowed_to_send_as',
  };
}
