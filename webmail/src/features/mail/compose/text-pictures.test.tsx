import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storeTokens } from '../../../lib/session.ts';
import type { Composition } from './composition.ts';
import { attachChosen, attachSmaller } from './message-files.ts';
import { sendMessage } from './sending.ts';
import { saveAsDraft } from './server-drafts.ts';
import { shrinkPicture } from './shrink-picture.ts';
import { takeIntoText } from './text-pictures.ts';
import { closeMessage } from './close-messages.ts';
import { attachMessages } from './whole-messages.ts';
import { messages, OpenMessage, showMessage } from './windows.ts';

vi.mock('./shrink-picture.ts', { spy: true });
vi.mock('./server-drafts.ts', { spy: true });

const picture = new File(['GIF89a'], 'loom.gif', { type: 'image/gif' });
/** A machine that is busy with other tests is slow, not wrong. */
const patient = { timeout: 30_000 };
const lists = { to: [], cc: [], bcc: [] };
const empty = {
  id: 'a',
  owner: '7',
  key: 'k',
  origin: { kind: 'new' },
  from: null,
  lists,
  typed: { to: '', cc: '', bcc: '' },
  subject: '',
  html: '',
  isTextChanged: false,
  signature: null,
  files: [],
  dropped: [],
  start: { lists, subject: '' },
  attempt: null,
} as unknown as Composition;

let message: OpenMessage;
/** What each text has of pictures, by their names. */
let inserted: string[][];

beforeEach(() => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.mocked(saveAsDraft).mockReset().mockResolvedValue({ problem: '' });
  messages.set([]);
  inserted = [];
  message = new OpenMessage(empty, { isKept: false });
  showMessage(message);
});

/** A window shows the text from now on, until the returned function is called. */
function showText(): () => void {
  const names: string[] = [];
  inserted.push(names);
  return message.attachText({
    takeOver: () => undefined,
    html: () => '',
    insertPicture: (_source, name) => names.push(name) > 0,
  });
}

const filesOf = ({ composition }: OpenMessage): string[] => composition.get().files.map(({ name }) => name);

describe('a picture that is still being prepared', () => {
  it('comes into the text where that stands by then', async () => {
    const leave = showText();
    takeIntoText(message, [picture]);
    leave();
    showText();
    await message.preparing;
    expect([inserted, filesOf(message)]).toEqual([[[], ['loom.gif']], []]);
  });

  it('goes along as a file when its window is closed, also where nothing else was written', async () => {
    const leave = showText();
    takeIntoText(message, [picture]);
    const closed = closeMessage(message);
    expect(message.isShown).toBe(false);
    leave();
    await closed;
    expect(filesOf(message)).toEqual(['loom.gif']);
    expect(saveAsDraft).toHaveBeenCalledWith(message);
  });

  it('does not close a window that was opened again meanwhile', async () => {
    takeIntoText(message, [picture]);
    const closed = closeMessage(message);
    showMessage(message);
    await closed;
    expect([message.isShown, messages.get()]).toEqual([true, [message]]);
    expect(saveAsDraft).not.toHaveBeenCalled();
  });

  it('is waited for by Send when it was asked for in a smaller size', async () => {
    let done = (_smaller: File): void => undefined;
    vi.mocked(shrinkPicture).mockReturnValueOnce(
      new Promise((resolve) => {
        done = resolve;
      }),
    );
    const sent: unknown[] = [];
    vi.stubGlobal('fetch', (_url: string, { body }: RequestInit) => {
      sent.push(body);
      return Promise.reject(new TypeError('no server'));
    });
    message.largePictures.set([picture]);
    attachSmaller(message);
    void sendMessage(message, null);
    await vi.waitFor(() => expect(message.state.get().phase).toBe('sending'), patient);
    done(new File(['x'], 'loom.jpg', { type: 'image/jpeg' }));
    await vi.waitFor(() => expect(message.composition.get().attempt).not.toBeNull(), patient);
    expect(filesOf(message)).toEqual(['loom.jpg']);
  });
});

describe('why a file was left out', () => {
  const tooLarge = new File([''], 'bales.zip');
  Object.defineProperty(tooLarge, 'size', { value: 50_000_000 });
  const reason = [expect.stringContaining('bales.zip')];

  it('is said although a picture that was chosen before is ready later', async () => {
    const { promise, resolve } = Promise.withResolvers<File | null>();
    vi.mocked(shrinkPicture).mockReturnValueOnce(promise);
    takeIntoText(message, [new File(['x'], 'loom.bmp', { type: 'image/bmp' })]);
    attachChosen(message, [tooLarge]);
    await vi.waitFor(() => expect(message.fileProblems.get()).toEqual(reason), patient);
    resolve(new File(['x'], 'loom.jpg', { type: 'image/jpeg' }));
    await message.preparing;
    expect(filesOf(message)).toEqual(['loom.jpg']);
    expect(message.fileProblems.get()).toEqual(expect.arrayContaining(reason));
  });

  it('is said although another file was chosen before this one was looked at', async () => {
    attachChosen(message, [tooLarge]);
    attachChosen(message, [picture]);
    await message.preparing;
    expect([filesOf(message), message.fileProblems.get()]).toEqual([['loom.gif'], reason]);
  });

  it('is said although messages are being attached', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    vi.stubGlobal('fetch', async (url: string) => {
      await promise;
      if (url.includes('/source')) return new Response('Subject: Looms');
      return Response.json({ success: true, message: '', data: { source_path: '/source' } });
    });
    attachMessages(message, [{ _id: '1', subject: 'Looms' }]);
    attachChosen(message, [tooLarge]);
    await vi.waitFor(() => expect(message.fileProblems.get()).toEqual(reason), patient);
    resolve();
    await message.preparing;
    expect([filesOf(message), message.fileProblems.get()]).toEqual([['Looms.eml'], reason]);
  });

  it('is said no more once other files are chosen', async () => {
    attachChosen(message, [tooLarge]);
    await message.preparing;
    attachChosen(message, [picture]);
    await message.preparing;
    expect(message.fileProblems.get()).toEqual([]);
  });
});
