import { systemContext } from '@selvage/core/context/context';
import { describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { receive } from '@selvage/core/mailstore/test-messages';
import { notifyNewMailProcessor } from './notify-new-mail.ts';

type Run = ReturnType<typeof notifyNewMailProcessor>['run'];

async function arrive() {
  const app = await testApp();
  const mailboxes = await Promise.all([buildMailbox(app), buildMailbox(app)]);
  const { entryIds } = await receive(systemContext(app), mailboxes, { subject: 'News' });
  const job = { id: '1', data: { payload: { entryIds }, causeId: null } } as unknown as Parameters<Run>[1];
  return { app, job, users: mailboxes.map(({ user }) => String(user.id)) };
}

describe('the notice of new mail', () => {
  it('goes to the room of each person', async () => {
    const { app, job, users } = await arrive();
    const channels: string[] = [];
    const redis = { publish: (channel: string | Buffer) => Promise.resolve(channels.push(String(channel))) };
    await notifyNewMailProcessor(redis).run(app, job);
    expect(channels).toHaveLength(2);
    for (const user of users) expect(channels.some((channel) => channel.includes(`user:${user}#`))).toBe(true);
  });

  it('fails its job and does not end the process when Redis goes away in the middle', async () => {
    const { app, job } = await arrive();
    const redis = { publish: () => Promise.reject(new Error('Redis has gone')) };
    await expect(notifyNewMailProcessor(redis).run(app, job)).rejects.toThrow('Redis has gone');
  });
});
