import { createEvent, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { useFileDrop } from './use-file-drop.ts';
import { show } from '../../../test/render.tsx';
import { Editor } from '../../../components/editor/Editor.tsx';

const file = new File(['GIF89a'], 'loom.gif', { type: 'image/gif' });
const source = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';

/** What a drag carries. The simulated browser has none. */
function carried() {
  const types = ['Files'];
  return { types, files: [file], setData: (type: string) => types.push(type) };
}

const intoText = vi.fn();
const attached = vi.fn();

function Window() {
  const drop = useFileDrop(attached);
  return (
    <div role="dialog" data-over={drop.isOver} {...drop.handlers}>
      <input aria-label="Subject" />
      <Editor
        label="Text"
        initialHtml={`<div>Look: <img src="${source}" alt="loom"></div>`}
        onReady={vi.fn()}
        onFiles={intoText}
      />
    </div>
  );
}

beforeEach(() => {
  intoText.mockReset();
  attached.mockReset();
  show(<Window />);
});

/** @returns whether the browser goes on with what it does by itself */
function dropOn(target: HTMLElement, dataTransfer: ReturnType<typeof carried>): boolean {
  fireEvent.dragOver(target, { dataTransfer });
  return fireEvent(target, createEvent.drop(target, { dataTransfer }));
}

it('takes a file from elsewhere into the text, and beside the text as a file', () => {
  expect(dropOn(screen.getByRole('textbox', { name: 'Text' }), carried())).toBe(false);
  expect(intoText).toHaveBeenCalledExactlyOnceWith([file]);
  expect(attached).not.toHaveBeenCalled();
  expect(dropOn(screen.getByRole('textbox', { name: 'Subject' }), carried())).toBe(false);
  expect(attached).toHaveBeenCalledExactlyOnceWith([file]);
});

it('lets the browser move a picture within the text, which it lists as a file as well', () => {
  const data = carried();
  fireEvent.dragStart(screen.getByRole('img', { name: 'loom' }), { dataTransfer: data });
  fireEvent.dragOver(screen.getByRole('textbox', { name: 'Text' }), { dataTransfer: data });
  expect(screen.getByRole('dialog').dataset['over']).toBe('false');
  expect(dropOn(screen.getByRole('textbox', { name: 'Text' }), data)).toBe(true);
  expect(intoText).not.toHaveBeenCalled();
});

it('does nothing with a picture of the text that is dropped beside it', () => {
  const data = carried();
  fireEvent.dragStart(screen.getByRole('img', { name: 'loom' }), { dataTransfer: data });
  expect(dropOn(screen.getByRole('textbox', { name: 'Subject' }), data)).toBe(false);
  expect(attached).not.toHaveBeenCalled();
});
