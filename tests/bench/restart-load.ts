import { setTimeout as wait } from 'node:timers/promises';
import type { ApiClient } from '../support/api-client.ts';
import type { Mailbox } from '../support/factories.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';

/** What the peers of a door observed. */
export interface Tally {
  door: string;
  /** Subjects of the accepted messages; empty for lists. */
  accepted: string[];
  answered: number;
  /** Failures, each with its time and cause. */
  refusals: string[];
  longestMs: number;
}

/**
 * The people of the load: messages go to the reader's mailbox. The sender belongs to the same
 * company.
 */
export interface Scene {
  ports: { smtp: number; submissions: number };
  reader: Mailbox;
  sender: Mailbox;
  /** A client with which the sender is logged in. */
  client: ApiClient;
}

/** Does one piece of work. @throws {Error} when it does not succeed */
type Step = (subject: string) => Promise<void>;
/** A peer of one connection, on which it does this many pieces of work one after the other. */
interface Peer {
  steps: number;
  open(): Promise<{ step: Step; close(): void }>;
}

const messagesOfConnection = 3;

/** All doors of a host, with a peer for each. */
export function peersOf(scene: Scene): Record<string, Peer> {
  const { ports, reader, sender, client } = scene;
  const letters = (port: number, from: string, login: Mailbox | null): Peer => ({
    steps: messagesOfConnection,
    open: () => openLetters({ port, from, to: reader.user.email, login }),
  });
  const calls = (step: Step): Peer => ({ steps: 1, open: () => Promise.resolve({ step, close: () => undefined }) });
  return {
    'mail in': letters(ports.smtp, 'load@remote.test', null),
    submission: letters(ports.submissions, sender.user.email, sender),
    'web app': calls((subject) => sendByWeb(client, reader.user.email, subject)),
    lists: calls(async () => {
      await client.folder();
    }),
  };
}

async function openLetters(letter: { port: number; from: string; to: string; login: Mailbox | null }) {
  const { port, from, to, login } = letter;
  const peer = await SmtpPeer.open(port, { tls: login !== null });
  if (login) requireSuccess(await peer.signIn(login.user.email, login.password));
  const step: Step = async (subject) => {
    requireSuccess(await peer.deliver(from, to, plainMessage({ from, to, subject })));
  };
  return { step, close: () => peer.close() };
}

async function sendByWeb(client: ApiClient, to: string, subject: string): Promise<void> {
  const form = new FormData();
  form.append('recipient_emails_to[]', to);
  form.append('subject', subject);
  form.append('body', '<p>Hello from the web.</p>');
  await client.data('POST', '/mail/send', form);
}

/** An empty reply means that the connection was refused or closed early. */
function requireSuccess(reply: string): void {
  if (!reply.startsWith('2')) throw new Error(`answered "${reply}"`);
}

/** Uses all doors until `work` has ended. `name` begins each subject. */
export async function pour(
  peers: Record<string, Peer>,
  options: { name: string; lanes: number; pauseMs: number },
  work: () => Promise<void>,
): Promise<Tally[]> {
  let isOver = false;
  const tallies: Tally[] = [];
  const lanes = Object.entries(peers).flatMap(([door, peer]) => {
    const tally: Tally = { door, accepted: [], answered: 0, refusals: [], longestMs: 0 };
    tallies.push(tally);
    return Array.from({ length: options.lanes }, async (_, lane) => {
      for (let number = 0; !isOver; number += 1)
        await visit(peer, tally, { subject: `${options.name} ${door} ${lane}-${number}`, pauseMs: options.pauseMs });
    });
  });
  const over = work().finally(() => {
    isOver = true;
  });
  await Promise.all([over, ...lanes]);
  return tallies;
}

/** Uses one connection. The time to open it counts towards the first answer. */
async function visit(peer: Peer, tally: Tally, { subject, pauseMs }: { subject: string; pauseMs: number }) {
  let close = (): void => undefined;
  let begin = performance.now();
  try {
    const opened = await peer.open();
    close = opened.close;
    for (let number = 0; number < peer.steps; number += 1) {
      const own = `${subject}-${number}`;
      await opened.step(own);
      tally.answered += 1;
      tally.accepted.push(own);
      tally.longestMs = Math.max(tally.longestMs, performance.now() - begin);
      await wait(pauseMs);
      begin = performance.now();
    }
  } catch (error) {
    const cause = error instanceof Error && error.cause ? ` (${String(error.cause)})` : '';
    tally.refusals.push(`${new Date().toISOString()} ${String(error)}${cause}`);
    await wait(pauseMs);
  } finally {
    close();
  }
}
