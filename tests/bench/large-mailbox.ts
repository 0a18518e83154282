import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import type { Mailbox } from '../support/factories.ts';

/** How many different texts there are. Each text is in as many messages as every other. */
const mostTexts = 1000;
const wordsOfText = 250;

/** A word that is in the text of one message in five. */
export const commonWord = 'everywhere';
/** A word that is in the subject of twenty messages. */
export const rareWord = 'seldom';

/** Yields the same words in each run. Common words occur often, as in a natural language. */
export function* someWords(): Generator<string, never> {
  for (let seed = 1; ; seed = (seed * 48_271) % 2_147_483_647) {
    const rank = Math.floor(20_000 ** ((seed % 100_000) / 100_000));
    yield `w${(rank * 7919) % 20_011}${rank % 3 === 0 ? 'en' : 'er'}`;
  }
}

/**
 * Fills the inbox of a person who has no mail. A thousand texts are stored as messages, and their
 * rows are repeated, forty seconds apart. Every third message is unread, and each is a conversation
 * of its own.
 */
export async function fillLargeMailbox(app: App, mailbox: Mailbox, messages: number): Promise<void> {
  const texts = Math.min(mostTexts, messages);
  const words = someWords();
  const stored: string[] = [];
  for (let number = 0; number < texts; number += 1) {
    const text = Array.from({ length: wordsOfText }, () => words.next().value);
    if (number % 5 === 0) text.push(commonWord);
    stored.push(await storeText(app, mailbox, { number, text }));
  }
  await repeatRows(app, mailbox, { messages, texts, first: stored[0] ?? '0' });
  await countAnew(app, String(mailbox.user.id));
}

async function storeText(
  app: App,
  { user }: Mailbox,
  { number, text }: { number: number; text: readonly string[] },
): Promise<string> {
  const { messageId } = await storeInbound(systemContext(app), {
    raw: Buffer.from(
      `From: Ana ${number} <ana${number}@bench.test>\r\nTo: ${user.email}\r\nSubject: ${text.slice(0, 6).join(' ')}\r\n` +
        `Message-ID: <${number}@bench.test>\r\n\r\n${text.join(' ').replace(/(.{70}\S*) /g, '$1\r\n')}\r\n`,
    ),
    envelopeFrom: 'a@bench.test',
    recipients: [{ userId: String(user.id), companyId: String(user.companyId), address: user.email }],
    client: { address: '127.0.0.1', helo: 'bench.test', tls: false },
    authentication: null,
    traceHeaders: '',
    mailId: `bench${number}`,
  });
  return messageId;
}

/** Repeats the messages. The subjects of twenty get the rare word. */
async function repeatRows(
  app: App,
  { user }: Mailbox,
  { messages, texts, first }: { messages: number; texts: number; first: string },
): Promise<void> {
  const rounds = Math.max(1, Math.ceil(messages / texts) - 1);
  const rare = Math.ceil(messages / 20);
  await app.db.query(
    `INSERT INTO messages (mail_id, blob_key, size, trace_headers, thread_key, envelope_from, from_address, from_name, subject,
                           preview, to_list, cc_list, created_at, updated_at)
     SELECT CONCAT('copy', m.id, '.', seq), blob_key, size, trace_headers, SHA2(CONCAT(m.id, seq), 256), envelope_from, from_address,
            from_name, IF((m.id * 31 + seq * ${texts}) % ${rare} = 0, CONCAT(subject, ' ${rareWord}'), subject), preview, to_list, cc_list,
            created_at, updated_at
       FROM messages m JOIN seq_1_to_${rounds} WHERE m.id >= ${first}`,
  );
  await app.db.query(
    `INSERT INTO mailbox_entries (company_id, user_id, message_id, folder, folder_id, uid, read_status, received_status,
                                  thread_key, arrived_at, created_at, updated_at)
     SELECT ${user.companyId}, ${user.id}, m.id, 'inbox', f.id, m.id + 1000000, m.id % 3 > 0, 1, m.thread_key,
            NOW(3) - INTERVAL m.id * 40 SECOND, NOW(3), NOW(3)
       FROM messages m JOIN folders f ON f.user_id = ${user.id} AND f.role = 'inbox'
      WHERE m.id >= ${first} AND m.mail_id LIKE 'copy%'`,
  );
}

/** Sets the counters to the values that they would have if each message had arrived separately. */
async function countAnew(app: App, userId: string): Promise<void> {
  await app.db.query(
    `INSERT INTO folder_threads (folder_id, thread_key, newest_id, newest_at, total, unread, starred)
     SELECT folder_id, thread_key, MAX(id), MAX(arrived_at), COUNT(*), SUM(read_status = 0), 0
       FROM mailbox_entries WHERE user_id = ${userId} GROUP BY folder_id, thread_key
     ON DUPLICATE KEY UPDATE newest_id = VALUES(newest_id), newest_at = VALUES(newest_at), total = VALUES(total),
                             unread = VALUES(unread)`,
  );
  await app.db.query(
    `UPDATE folders f SET total = (SELECT COUNT(*) FROM mailbox_entries e WHERE e.folder_id = f.id),
            unread = (SELECT COUNT(*) FROM mailbox_entries e WHERE e.folder_id = f.id AND NOT e.read_status),
            uid_next = (SELECT COALESCE(MAX(uid), 0) + 1 FROM mailbox_entries e WHERE e.folder_id = f.id),
            threads = (SELECT COUNT(*) FROM folder_threads t WHERE t.folder_id = f.id)
      WHERE user_id = ${userId} AND role = 'inbox'`,
  );
  await app.db.query('ANALYZE TABLE messages, mailbox_entries, folder_threads');
}
