import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { changeStatus } from '../mailstore/change-status.ts';
import { removeMessageIfUnreferenced } from '../mailstore/remove-unreferenced.ts';
import { storeInbound } from '../mailstore/store-message.ts';
import { inboundOf, rawMessage } from '../mailstore/test-messages.ts';
import { Draft } from '../models/draft.ts';
import { DraftAttachment } from '../models/draft-attachment.ts';
import { Message } from '../models/message.ts';
import { User } from '../models/user.ts';
import type { App } from '../context/app.ts';
import { inTransaction, systemContext } from '../context/context.ts';
import { avatarPath } from '../models/avatar-path.ts';
import { ensureAvatar, removeAvatarIfUnused } from './avatars.ts';

let app: App;

beforeAll(async () => {
  app = await testApp();
});

describe('removeAvatarIfUnused', () => {
  it('keeps bytes that a draft has as a file', async () => {
    const { user, company } = await buildMailbox(app);
    const owner = { companyId: String(company.id), userId: String(user.id) };
    const draft = await Draft.create({ ...owner, toList: [], ccList: [], bccList: [] });
    const { key, size } = await app.blobs.put(randomBytes(100));
    const file = { blobKey: key, size, filename: 'me.webp', contentType: 'image/webp' };
    const attached = await DraftAttachment.create({ draftId: String(draft.id), ...file });
    expect(await removeAvatarIfUnused(systemContext(app), avatarPath(key))).toBe('still_used');
    expect(await app.blobs.has(key)).toBe(true);
    await attached.destroy();
    expect(await removeAvatarIfUnused(systemContext(app), avatarPath(key))).toBe('removed');
    expect(await app.blobs.has(key)).toBe(false);
  });

  it('leaves alone what is not under our path', async () => {
    for (const path of [null, 'https://elsewhere.test/me.png', '/upload/avatars/../secret.webp']) {
      expect(await removeAvatarIfUnused(systemContext(app), path)).toBe('not_ours');
    }
  });

  it('waits for who takes the same picture at this moment, and then leaves it', async () => {
    const { user } = await buildMailbox(app);
    const { key } = await app.blobs.put(randomBytes(100));
    let removal: ReturnType<typeof removeAvatarIfUnused> | undefined;
    await inTransaction(systemContext(app), async (tx) => {
      await User.update({ avatar: avatarPath(key) }, { where: { id: user.id }, transaction: tx.tx });
      removal = removeAvatarIfUnused(systemContext(app), avatarPath(key));
      // Long enough for a removal that does not wait
      for (let count = 0; count < 50; count += 1) await User.count({ transaction: tx.tx });
    });
    expect(await removal).toBe('still_used');
    expect(await app.blobs.has(key)).toBe(true);
  });

  it('is made good by who takes the picture right after it', async () => {
    const { user } = await buildMailbox(app);
    const bytes = randomBytes(100);
    const { key } = await app.blobs.put(bytes);
    expect(await removeAvatarIfUnused(systemContext(app), avatarPath(key))).toBe('removed');
    await inTransaction(systemContext(app), async (tx) => {
      await User.update({ avatar: avatarPath(key) }, { where: { id: user.id }, transaction: tx.tx });
      await ensureAvatar(tx, avatarPath(key), bytes);
    });
    expect(await app.blobs.has(key)).toBe(true);
  });
});

describe('removeMessageIfUnreferenced', () => {
  it('keeps bytes that are a person’s picture', async () => {
    const ctx = systemContext(app);
    const ana = await buildMailbox(app);
    const { messageId, entryIds } = await storeInbound(ctx, inboundOf(rawMessage(), [ana]));
    const { blobKey } = await Message.findByPk(messageId, { rejectOnEmpty: true });
    await ana.user.update({ avatar: avatarPath(blobKey) });
    await changeStatus(ctx, { userId: String(ana.user.id), entryIds, flags: { deleteStatus: true } });
    expect(await removeMessageIfUnreferenced(ctx, messageId)).toBe('removed');
    expect(await app.blobs.has(blobKey)).toBe(true);
  });
});
