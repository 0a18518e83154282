import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { noteAnswer } from '../../../lib/connection.ts';
import { storeTokens } from '../../../lib/session.ts';
import { type Arrived, takeUploads } from '../../../test/uploads.ts';
import { isReadable } from './is-readable.ts';
import { attachChosen, attachFiles } from './message-files.ts';
import { sendMessage } from './sending.ts';
import { startComposition } from './start-composition.ts';
import { takeIntoText } from './text-pictures.ts';
import { messages, OpenMessage, showMessage } from './windows.ts';

/** The simulated browser has no disk from which a file could vanish. */
vi.mock('./is-readable.ts', { spy: true });

const writer = {
  email: 'ana@a.test',
  aliases: [],
  signature_new_emails_use: null,
  signature_reply_forward_emails_use: null,
};
const folder = new File([], 'Looms');
const prices = new File(['price'], 'prices.pdf', { type: 'application/pdf' });
const leftOut = (name: string): string => expect.stringContaining(`“${name}” was left out: it can’t be read.`);

let arrived: Arrived[];
let message: OpenMessage;

beforeEach(() => {
  vi.mocked(isReadable)
    .mockReset()
    .mockImplementation(async ({ name }) => name !== 'Looms');
  messages.set([]);
  noteAnswer(200);
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: '7', expires_in: 900 });
  arrived = takeUploads();
  const begun = startComposition({ kind: 'new' }, '7', writer);
  message = new OpenMessage({ ...begun, subject: 'Looms', isTextChanged: true }, { isKept: false });
  showMessage(message);
});
afterEach(() => vi.unstubAllGlobals());

const attached = () => message.composition.get().files.map(({ name }) => name);

it.each([
  ['beside the text', attachChosen],
  ['on the text', takeIntoText],
])('a folder that is dropped %s is left out, and the files beside it are attached', async (_where, drop) => {
  drop(message, [folder, prices]);
  await message.preparing;
  expect(attached()).toEqual(['prices.pdf']);
  expect(message.fileProblems.get()).toEqual([leftOut('Looms')]);
});

it('a file that was changed since is named at Send, and nothing is sent without it', async () => {
  attachFiles(message, [prices]);
  vi.mocked(isReadable).mockResolvedValue(false);
  await sendMessage(message, null);
  expect(arrived).toEqual([]);
  expect(attached()).toEqual([]);
  expect(message.state.get()).toEqual({ phase: 'writing', problem: leftOut('prices.pdf') });
});

it('a file that was changed since does not keep the message from being saved', async () => {
  attachFiles(message, [prices]);
  const saving = message.saver.post(false).catch(() => undefined);
  const first = await vi.waitUntil(() => arrived[0], { timeout: 30_000 });
  vi.mocked(isReadable).mockResolvedValue(false);
  first.lose();
  await saving;
  expect(message.fileProblems.get()).toEqual([leftOut('prices.pdf')]);
  void message.saver.post(false).catch(() => undefined);
  const second = await vi.waitUntil(() => arrived[1], { timeout: 30_000 });
  expect([first.files, second.files]).toEqual([['prices.pdf'], []]);
});
