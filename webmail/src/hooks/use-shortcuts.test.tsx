import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import '../test/render.tsx';
import { listenForShortcuts, PASS_ON, type Shortcuts, useShortcuts } from './use-shortcuts.ts';

beforeAll(listenForShortcuts);

const done = { e: vi.fn(), i: vi.fn(), gi: vi.fn() };

interface ScreenProps {
  keys: Shortcuts;
  isBehind?: boolean;
  children?: React.ReactNode;
}

function Screen({ keys, isBehind = false, children }: ScreenProps) {
  useShortcuts(keys, isBehind);
  return <>{children}</>;
}

const pressed = () => Object.entries(done).flatMap(([name, { mock }]) => mock.calls.map(() => name));

beforeEach(() => {
  vi.resetAllMocks();
  vi.useRealTimers();
});

describe('keys', () => {
  it('do nothing with a modifier, nor while a person types or a dialog is open', async () => {
    const person = userEvent.setup();
    const { rerender } = render(
      <Screen keys={{ e: done.e }}>
        <input aria-label="Line" />
        <textarea aria-label="Text" />
        <div contentEditable role="textbox" aria-label="Rich" tabIndex={0} suppressContentEditableWarning />
        <input type="checkbox" aria-label="Tick" />
      </Screen>,
    );
    Object.defineProperty(screen.getByLabelText('Rich'), 'isContentEditable', { value: true });
    for (const name of ['Line', 'Text', 'Rich']) {
      screen.getByLabelText(name).focus();
      await person.keyboard('e');
    }
    screen.getByLabelText('Tick').focus();
    await person.keyboard('{Control>}e{/Control}{Alt>}e{/Alt}{Meta>}e{/Meta}');
    expect(pressed()).toEqual([]);
    await person.keyboard('e');
    expect(pressed()).toEqual(['e']);
    rerender(
      <Screen keys={{ e: done.e }}>
        <div role="dialog" />
      </Screen>,
    );
    await person.keyboard('e');
    expect(pressed()).toEqual(['e']);
  });

  it('of two signs are pressed one after another', async () => {
    const person = userEvent.setup();
    render(<Screen keys={{ gi: done.gi, i: done.i, e: done.e }} />);
    await person.keyboard('i');
    await person.keyboard('gi');
    expect(pressed()).toEqual(['i', 'gi']);
    // The first of two is used up
    await person.keyboard('i');
    expect(done.i).toHaveBeenCalledTimes(2);
  });

  it('that follow a first one and mean nothing with it do nothing at all', async () => {
    const person = userEvent.setup();
    render(<Screen keys={{ gi: done.gi, e: done.e }} />);
    await person.keyboard('ge');
    expect(pressed()).toEqual([]);
    await person.keyboard('e');
    expect(pressed()).toEqual(['e']);
  });

  it('are single ones again when the second comes late, or is typed elsewhere', () => {
    const pressLate = (key: string): void => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true });
      Object.defineProperty(event, 'timeStamp', { value: event.timeStamp + 1_600 });
      document.body.dispatchEvent(event);
    };
    render(
      <Screen keys={{ gi: done.gi, i: done.i }}>
        <input aria-label="Line" />
      </Screen>,
    );
    fireEvent.keyDown(document.body, { key: 'g' });
    pressLate('i');
    expect(pressed()).toEqual(['i']);
    fireEvent.keyDown(document.body, { key: 'g' });
    fireEvent.keyDown(screen.getByLabelText('Line'), { key: 'x' });
    fireEvent.keyDown(document.body, { key: 'i' });
    expect(pressed()).toEqual(['i', 'i']);
  });

  it('wait for the second while Shift goes down', () => {
    render(<Screen keys={{ gI: done.gi }} />);
    fireEvent.keyDown(document.body, { key: 'g' });
    fireEvent.keyDown(document.body, { key: 'Shift', shiftKey: true });
    fireEvent.keyDown(document.body, { key: 'I', shiftKey: true });
    expect(pressed()).toEqual(['gi']);
  });

  it('that come before their screen are obeyed when it is there, one or two', () => {
    render(<Screen keys={{ e: done.e }} />);
    fireEvent.keyDown(document.body, { key: 'g' });
    fireEvent.keyDown(document.body, { key: 'i' });
    render(<Screen keys={{ gi: done.gi }} />);
    expect(pressed()).toEqual(['gi']);
    fireEvent.keyDown(document.body, { key: 'x' });
    fireEvent.keyDown(document.body, { key: 'i' });
    render(<Screen keys={{ i: done.i }} />);
    expect(pressed()).toEqual(['i', 'gi']);
  });

  it('are obeyed by a screen that comes late, where the first one begins something else here', () => {
    render(<Screen keys={{ gx: done.e, i: done.i }} />);
    fireEvent.keyDown(document.body, { key: 'g' });
    fireEvent.keyDown(document.body, { key: 'i' });
    expect(pressed()).toEqual([]);
    render(<Screen keys={{ gi: done.gi, i: done.i }} />);
    expect(pressed()).toEqual(['gi']);
  });
});

describe('keys that several screens have', () => {
  it('are of the screen that came last', async () => {
    const person = userEvent.setup();
    render(
      <>
        <Screen keys={{ e: done.i }} />
        <Screen keys={{ e: done.e }} />
      </>,
    );
    await person.keyboard('e');
    expect(pressed()).toEqual(['e']);
  });

  it('are not of a list that came after what it has opened', async () => {
    const person = userEvent.setup();
    render(
      <>
        <Screen keys={{ e: done.e }} />
        <Screen keys={{ e: done.i, i: done.i }} isBehind />
      </>,
    );
    await person.keyboard('ei');
    expect(pressed()).toEqual(['e', 'i']);
  });

  it('are passed on to an earlier screen by one that finds them meant for that', async () => {
    const person = userEvent.setup();
    render(
      <>
        <Screen keys={{ e: done.e }} />
        <Screen keys={{ e: () => PASS_ON }} />
      </>,
    );
    await person.keyboard('e');
    expect(pressed()).toEqual(['e']);
  });
});

describe('keys of any keyboard', () => {
  it('are read by their place where the layout has no Latin letters', () => {
    render(<Screen keys={{ e: done.e, gi: done.gi }} />);
    fireEvent.keyDown(document.body, { key: 'у', code: 'KeyE' });
    fireEvent.keyDown(document.body, { key: 'п', code: 'KeyG' });
    fireEvent.keyDown(document.body, { key: 'ш', code: 'KeyI' });
    expect(pressed()).toEqual(['e', 'gi']);
  });

  it('are other ones with Shift, and not with Caps Lock', () => {
    render(<Screen keys={{ u: done.e, U: done.i }} />);
    fireEvent.keyDown(document.body, { key: 'U', code: 'KeyU' });
    expect(pressed()).toEqual(['e']);
    fireEvent.keyDown(document.body, { key: 'u', code: 'KeyU', shiftKey: true });
    expect(pressed()).toEqual(['e', 'i']);
  });

  it('are read by their letter where the layout has it elsewhere', () => {
    render(<Screen keys={{ e: done.e, d: done.i }} />);
    fireEvent.keyDown(document.body, { key: 'e', code: 'KeyD' });
    expect(pressed()).toEqual(['e']);
  });
});

describe('keys that are held', () => {
  it('act once, but for those that move', () => {
    const j = vi.fn();
    render(<Screen keys={{ e: done.e, j }} />);
    for (const key of ['e', 'j']) {
      fireEvent.keyDown(document.body, { key });
      for (let times = 0; times < 3; times += 1) fireEvent.keyDown(document.body, { key, repeat: true });
    }
    expect([pressed(), j.mock.calls.length]).toEqual([['e'], 4]);
  });
});
