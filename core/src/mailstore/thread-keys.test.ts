import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { Message } from '../models/message.ts';
import { type RawOverrides, receive } from './test-messages.ts';
import { findThreadKeys } from './thread-keys.ts';

let ctx: Ctx;
let ana: Mailbox;

beforeAll(async () => {
  const app = await testApp();
  ctx = systemContext(app);
  ana = await buildMailbox(app);
});

const newId = () => `<${randomUUID()}@sender.test>`;

async function keyOf(overrides: RawOverrides): Promise<string> {
  const { messageId } = await receive(ctx, [ana], overrides);
  return (await Message.findByPk(messageId, { rejectOnEmpty: true })).threadKey;
}

describe('the conversation of a message', () => {
  it('is that of the first message, which an answer names, stored or not', async () => {
    const [first, second] = [newId(), newId()];
    const late = await keyOf({ references: `${first} ${second}`, inReplyTo: second });
    expect(await keyOf({ messageId: second, references: first, inReplyTo: first })).toBe(late);
    expect(await keyOf({ messageId: first })).toBe(late);
    expect(await keyOf({ messageId: newId() })).not.toBe(late);
  });

  it('is that of the message that is answered, where an answer names no other', async () => {
    const [root, middle, last] = [newId(), newId(), newId()];
    const first = await keyOf({ messageId: root });
    expect(await keyOf({ messageId: middle, inReplyTo: root })).toBe(first);
    expect(await keyOf({ messageId: last, inReplyTo: middle })).toBe(first);
    // A list of ids that begins in the middle
    expect(await keyOf({ references: `${middle} ${last}`, inReplyTo: last })).toBe(first);
  });

  it('is that of any message that an answer names, where the first one is not stored', async () => {
    const [root, parent] = [newId(), newId()];
    const known = await keyOf({ messageId: root });
    // Its program has left out the first ids, a ticket system has put its own before them, or the
    // answered message has named its parent alone
    expect(await keyOf({ references: `${newId()} ${root}`, inReplyTo: root })).toBe(known);
    const own = await keyOf({ messageId: parent, inReplyTo: newId() });
    expect(await keyOf({ references: `${newId()} ${newId()} ${parent}`, inReplyTo: parent })).toBe(own);
    expect(await keyOf({ references: newId(), inReplyTo: parent })).toBe(own);
    // Of two conversations, that of the earlier message
    expect(await keyOf({ references: `${root} ${parent}`, inReplyTo: parent })).toBe(known);
  });

  it('is found where an answer names very many messages', async () => {
    const parent = newId();
    const own = await keyOf({ messageId: parent, inReplyTo: newId() });
    const others = Array.from({ length: 400 }, newId).join(' ');
    expect(await keyOf({ references: `${others} ${parent}`, inReplyTo: parent })).toBe(own);
  });

  it('is found among messages that are stored together, and stays when an id comes twice', async () => {
    const [root, middle] = [newId(), newId()];
    const first = await keyOf({ messageId: root });
    const together = [
      { messageIdHeader: middle, inReplyTo: root, references: [] },
      { messageIdHeader: newId(), inReplyTo: middle, references: [] },
      { messageIdHeader: null, inReplyTo: null, references: [] },
    ];
    const keys = await inTransaction(ctx, (tx) => findThreadKeys(tx, together));
    expect(keys).toEqual([first, first, expect.not.stringMatching(first)]);
    await keyOf({ messageId: middle, inReplyTo: root });
    expect(await keyOf({ messageId: middle, inReplyTo: newId(), subject: 'Another' })).not.toBe(first);
    expect(await keyOf({ inReplyTo: middle })).toBe(first);
  });
});
