import { buffer } from 'node:stream/consumers';
import { parseMessage } from '@selvage/core/mail/parse-message';
import { Delivery } from '@selvage/core/models/delivery';
import { Message } from '@selvage/core/models/message';
import type { App } from '@selvage/core/context/app';
import { until } from '../../../tests/support/until.ts';

/** What the host has mailed to an address, the latest first. */
export async function mailsTo(app: App, address: string): Promise<{ subject: string; text: string }[]> {
  const rows = await Delivery.findAll({ where: { recipient: address, direction: 'out' }, order: [['id', 'DESC']] });
  return await Promise.all(
    rows.map(async ({ messageId }) => {
      const message = await Message.findByPk(messageId ?? '0', { rejectOnEmpty: true });
      const parsed = await parseMessage(await buffer(app.blobs.get(message.blobKey)));
      return { subject: parsed.subject, text: parsed.text ?? '' };
    }),
  );
}

/** Waits for the latest mail to an address with this subject, and returns its link. */
export async function linkMailedTo(app: App, address: string, subject: RegExp): Promise<string> {
  return await until(`a link for ${address}`, async () => {
    const mail = (await mailsTo(app, address)).find((candidate) => subject.test(candidate.subject));
    return mail && (/^https?:\S+#\S+$/m.exec(mail.text)?.[0] ?? null);
  });
}

/** The secret part of a link. */
export function tokenOf(link: string): string {
  return link.slice(link.indexOf('#') + 1);
}
