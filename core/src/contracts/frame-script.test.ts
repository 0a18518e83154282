import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { frameScript, frameScriptSource } from './mail-frame.ts';

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

it('tells of a key that is held once, unless it is one that goes from one message to the next', () => {
  const press = openFrame();
  for (const key of ['z', 's', 'e', 'j', 'k', 'n', 'p']) expect(press({ key })).toEqual([{ kind: 'key', key }]);
  for (const key of ['z', 's', 'e']) expect(press({ key, repeat: true })).toEqual([]);
  for (const key of ['j', 'k', 'n', 'p']) expect(press({ key, repeat: true })).toEqual([{ kind: 'key', key }]);
  expect(press({ key: 'p', ctrlKey: true })).toEqual([{ kind: 'print' }]);
  expect(press({ key: 'p', ctrlKey: true, repeat: true })).toEqual([]);
});
