import { parseMessage } from '@selvage/core/mail/parse-message';
import type { ReachableHost } from './test-host.ts';
import { until } from './until.ts';

/**
 * Waits for a mail of the host to an outside address whose text matches, and returns the match in
 * the latest such mail.
 */
export async function mailedText(host: ReachableHost, to: string, pattern: RegExp): Promise<string> {
  return await until(`mail to ${to} with ${pattern}`, async () => {
    const mails = host.remote.received.filter((message) => message.to.includes(to));
    const parsed = await Promise.all(mails.map(({ raw }) => parseMessage(raw)));
    return parsed.flatMap(({ text }) => pattern.exec(text ?? '')?.[0] ?? []).at(-1);
  });
}
