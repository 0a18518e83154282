import type { EmailDto } from '@selvage/core/contracts/email';
import type { QueryClient } from '@tanstack/react-query';
import { wordsOf } from '../../lib/i18n.ts';
import { readingWords } from '../../words/reading.ts';
import { conversationDocument } from './paper-document.ts';
import { headLines, paperOf, printDocument } from './print-message.ts';
import { aloneQuery, wholeConversationQuery } from './queries.ts';
import { subjectOf } from './row-words.ts';

interface Wanted {
  /** The open message. */
  email: EmailDto;
  /** Whether quotes are printed. */
  hasQuotes: boolean;
}

/**
 * Prints the messages of a conversation as one document: its subject, then each message with its
 * people.
 */
export async function printConversation(client: QueryClient, { email, hasQuotes }: Wanted): Promise<void> {
  const t = wordsOf(readingWords);
  const { messages, left } = await readAll(client, email);
  const papers = messages.map((message) => ({ ...paperOf(message), head: headLines(message) }));
  const lines = [t.conversationOf(messages.length), ...(left > 0 ? [t.notPrinted(left)] : [])];
  const { origin } = window.location;
  printDocument(conversationDocument(papers, { subject: subjectOf(email), lines, origin, hasQuotes }));
}

interface Printed {
  /** The oldest first. */
  messages: EmailDto[];
  /** How many older messages were left out for lack of room. */
  left: number;
}

/** How many messages are loaded at a time. */
const AT_ONCE = 4;
/** A document of more characters than this would take a phone's memory. */
const MOST_CHARACTERS = 20_000_000;

/**
 * The messages of a conversation with their texts, the newest as far as there is room. Those that
 * are not on the screen are among them.
 */
async function readAll(client: QueryClient, email: EmailDto): Promise<Printed> {
  const whole = email.earlier_replies > 0 ? await client.fetchQuery(wholeConversationQuery(email._id)) : email;
  const others = whole.replies.filter(({ trash_status }) => !trash_status);
  const items = [...others, email].sort((one, other) => other.createdAt.localeCompare(one.createdAt));
  const read = async ({ _id }: { _id: string }): Promise<EmailDto> =>
    _id === email._id ? email : await client.ensureQueryData(aloneQuery(_id));
  const messages: EmailDto[] = [];
  let characters = 0;
  while (messages.length < items.length && characters < MOST_CHARACTERS) {
    const part = await Promise.all(items.slice(messages.length, messages.length + AT_ONCE).map(read));
    messages.push(...part);
    characters += part.reduce((sum, { body }) => sum + body.length, 0);
  }
  return { messages: messages.toReversed(), left: items.length - messages.length + whole.earlier_replies };
}
