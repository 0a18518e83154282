import { act, fireEvent, screen } from '@testing-library/react';
import { useStore } from '@nanostores/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { storeTokens } from '../../../lib/session.ts';
import { show } from '../../../test/render.tsx';
import { type Arrived, takeUploads } from '../../../test/uploads.ts';
import { ComposeQuestion } from './ComposeQuestion.tsx';
import { SendButton } from './SendButton.tsx';
import { startComposition } from './start-composition.ts';
import { useSendButton } from './use-send-button.ts';
import { messages, OpenMessage, showMessage } from './windows.ts';

const writer = {
  email: 'ana@a.test',
  aliases: [],
  signature_new_emails_use: null,
  signature_reply_forward_emails_use: null,
};
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

let arrived: Arrived[];

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-26T20:00:00') });
  messages.set([]);
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: '7', expires_in: 900_000 });
  arrived = takeUploads();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Sending({ message }: { message: OpenMessage }) {
  const { phase } = useStore(message.state);
  const { question, setQuestion, send, handleSend, shownTime } = useSendButton(message, () => undefined);
  const none = (): void => undefined;
  return (
    <>
      <SendButton phase={phase} sendAt={shownTime} remindAt={null} onSend={handleSend} onRemind={undefined} />
      {question && (
        <ComposeQuestion
          question={question}
          onSettled={() => setQuestion(null)}
          onSend={send}
          onClear={none}
          onDiscard={none}
          onPlain={none}
        />
      )}
    </>
  );
}

/** A message that was taken back, and was to leave the next morning at eight. */
function showScheduled(): void {
  const bob = { name: '', address: 'bob@remote.test', problem: null };
  const message = new OpenMessage(
    {
      ...startComposition({ kind: 'new' }, '7', writer),
      lists: { to: [bob], cc: [], bcc: [] },
      subject: 'Looms',
      html: '<div>They arrive on Monday.</div>',
      isTextChanged: true,
      sendAt: new Date('2026-11-27T08:00:00').toISOString(),
    },
    { isKept: false },
  );
  showMessage(message);
  show(<Sending message={message} />);
}

const pass = (ms: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
const button = (name: RegExp): HTMLElement => screen.getByRole('button', { name });

/** Lets a minute pass, and waits for the call that sends: simulated time loads no code for it. */
async function untilSent(): Promise<void> {
  await pass(MINUTE_MS);
  await vi.waitUntil(() => arrived.length > 0, { timeout: 30_000 });
}

describe('Send of a message that was to leave at a time', () => {
  it('says the time as the day and the hour come', async () => {
    showScheduled();
    button(/^Send tomorrow/);
    await pass(5 * HOUR_MS);
    button(/^Send today/);
    await pass(7 * HOUR_MS);
    button(/^Send$/);
  });

  it('asks before it sends at once what stands there for a time that has passed', async () => {
    showScheduled();
    // The device slept: nothing was drawn meanwhile
    vi.setSystemTime(new Date('2026-11-27T09:00:00'));
    fireEvent.click(button(/^Send tomorrow|^Send today/));
    await pass(0);
    expect(arrived).toEqual([]);
    fireEvent.click(button(/^Send now$/));
    await untilSent();
    expect(arrived).toMatchObject([{ path: '/mail/send', fields: { subject: 'Looms' } }]);
    expect(arrived[0]?.fields).not.toHaveProperty('send_at');
  });
});

describe('Send of a message that a link begins', () => {
  const signature = { _id: '1', signature_name: 'Work', signature_body: '<p>Ana</p>' };

  function press(text: string): void {
    const prepared = { to: ['list@remote.test'], subject: 'Leave', text };
    const begun = startComposition({ kind: 'new', prepared }, '7', { ...writer, signature_new_emails_use: signature });
    const message = new OpenMessage(begun, { isKept: false });
    showMessage(message);
    show(<Sending message={message} />);
    fireEvent.click(button(/^Send$/));
  }

  it('sends the text of the link without a question', async () => {
    press('unsubscribe');
    await untilSent();
    expect(arrived).toMatchObject([{ path: '/mail/send', fields: { subject: 'Leave' } }]);
  });

  it('asks when the link has no text, and the signature is all there is', async () => {
    press('');
    await pass(MINUTE_MS);
    expect(screen.getByText(/message body is empty/)).toBeTruthy();
    expect(arrived).toEqual([]);
  });
});
