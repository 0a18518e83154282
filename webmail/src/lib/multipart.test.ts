import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { upload } from './multipart.ts';

class FakeRequest {
  static last: FakeRequest | null = null;
  readonly upload = {};
  onload: () => void = () => undefined;
  status = 200;
  responseText = '{}';
  isSent = false;
  isAborted = false;
  constructor() {
    FakeRequest.last = this;
  }
  open(): void {}
  setRequestHeader(): void {}
  getResponseHeader(): null {
    return null;
  }
  send(): void {
    this.isSent = true;
  }
  abort(): void {
    this.isAborted = true;
  }
}

const call = { method: 'POST', url: '/api/v1/mail', token: null, form: new FormData() };

beforeEach(() => {
  FakeRequest.last = null;
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it('sends nothing for a person who has given the upload up before it began', async () => {
  const sending = upload({ ...call, signal: AbortSignal.abort() });
  sending.catch(() => undefined);
  expect(FakeRequest.last?.isSent ?? false).toBe(false);
  await expect(sending).rejects.toMatchObject({ name: 'AbortError' });
});

it('lets go of the signal once the server has answered', async () => {
  const giver = new AbortController();
  const sending = upload({ ...call, signal: giver.signal });
  FakeRequest.last?.onload();
  expect((await sending).status).toBe(200);
  giver.abort();
  expect(FakeRequest.last?.isAborted).toBe(false);
});
