import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { namedKeys } from '@selvage/core/contracts/test-keys';
import { frameScript, frameScriptSource, readFrameMessage } from '@selvage/core/contracts/mail-frame';

it('names the script of a frame by its hash', () => {
  const hash = createHash('sha256').update(frameScript).digest('base64');
  expect(frameScriptSource).toBe(`'sha256-${hash}'`);
});

/** Runs the script as a frame does. Returns what it tells the page when a key is pressed. */
function openFrame(): (key: object) => unknown[] {
  let told: unknown[] = [];
  let onKey = (_event: object): void => expect.fail('no keys are listened for');
  const element = { clientHeight: 9, clientWidth: 700, scrollHeight: 9, getBoundingClientRect: () => ({ height: 9 }) };
  runInNewContext(frameScript, {
    document: { documentElement: element, body: element },
    parent: { postMessage: (message: unknown) => told.push(message) },
    innerWidth: 700,
    innerHeight: 9,
    addEventListener: (name: string, listener: typeof onKey) => {
      if (name === 'keydown') onKey = listener;
    },
    ResizeObserver: class {
      observe = (): void => undefined;
    },
  });
  const plain = { code: '', shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, repeat: false };
  return (key) => {
    told = [];
    onKey({ ...plain, getModifierState: () => false, preventDefault: () => undefined, ...key });
    return told;
  };
}

const read = (messages: unknown[]) => messages.map(readFrameMessage);

it('tells of a key that is held that it is, and prints once', () => {
  const press = openFrame();
  for (const repeat of [false, true]) {
    expect(read(press({ key: 'z', code: 'KeyZ', repeat }))).toEqual([{ kind: 'key', key: 'z', repeat }]);
  }
  expect(read(press({ key: 'p', ctrlKey: true }))).toEqual([{ kind: 'print' }]);
  expect(press({ key: 'p', ctrlKey: true, repeat: true })).toEqual([]);
});

it.each(namedKeys)('tells the page of what it acts on: %s', (_which, key, sign) => {
  const [told = null] = read(openFrame()(key));
  expect(told).toEqual(/^[\w#?]$/.test(sign) ? { kind: 'key', key: sign, repeat: false } : null);
});

it('prints by the key that has the place of P on a layout without Latin letters', () => {
  const print = [{ kind: 'print' }];
  expect(openFrame()({ key: '\u0437', code: 'KeyP', ctrlKey: true })).toEqual(print);
  expect(openFrame()({ key: 'P', code: 'KeyP', ctrlKey: true })).toEqual(print);
  expect(openFrame()({ key: 'p', code: 'KeyR', ctrlKey: true })).toEqual(print);
  expect(openFrame()({ key: 'l', code: 'KeyP', ctrlKey: true })).toEqual([]);
  expect(openFrame()({ key: '\u0437', code: 'KeyP', ctrlKey: true, shiftKey: true })).toEqual([]);
});
