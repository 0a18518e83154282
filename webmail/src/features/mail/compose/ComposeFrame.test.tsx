import { fireEvent, screen } from '@testing-library/react';
import { createPortal } from 'react-dom';
import { expect, it, vi } from 'vitest';
import { show } from '../../../test/render.tsx';
import { ComposeFrame } from './ComposeFrame.tsx';

const props = {
  name: 'New Message',
  subject: '',
  surfaceRef: { current: null },
  drop: { isOver: false, handlers: {} } as never,
  behind: 0,
  notices: null,
  saveWord: null,
  onSendKey: () => undefined,
  onFold: () => undefined,
  onFocus: () => undefined,
  onClose: () => undefined,
};

it('leaves Escape in a docked window to an input method', () => {
  const onClose = vi.fn();
  show(
    <ComposeFrame {...props} place="window" onClose={onClose}>
      <input />
    </ComposeFrame>,
  );
  const field = screen.getByRole('textbox');
  fireEvent.keyDown(field, { key: 'Escape', isComposing: true });
  fireEvent.keyDown(field, { key: 'Escape', keyCode: 229 });
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(onClose).toHaveBeenCalledOnce();
});

it.each(['window', 'dialog'] as const)('sends by Ctrl+Enter in the %s, and not in what it has opened', (place) => {
  const onSendKey = vi.fn();
  show(
    <ComposeFrame {...props} place={place} onSendKey={onSendKey}>
      <input aria-label="Subject" />
      {createPortal(<button type="button">Schedule</button>, document.body)}
    </ComposeFrame>,
  );
  const press = { key: 'Enter', ctrlKey: true };
  fireEvent.keyDown(screen.getByText('Schedule'), press);
  expect(onSendKey).not.toHaveBeenCalled();
  fireEvent.keyDown(screen.getByLabelText('Subject'), press);
  expect(onSendKey).toHaveBeenCalledOnce();
});
