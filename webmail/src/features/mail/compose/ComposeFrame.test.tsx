import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { show } from '../../../test/render.tsx';
import { ComposeFrame } from './ComposeFrame.tsx';

it('leaves Escape in a docked window to an input method', () => {
  const onClose = vi.fn();
  const props = {
    name: 'New Message',
    subject: '',
    surfaceRef: { current: null },
    drop: { isOver: false, handlers: {} } as never,
    behind: 0,
    notices: null,
    saveWord: null,
    onSendKey: vi.fn(),
    onFold: vi.fn(),
    onFocus: vi.fn(),
    onClose,
  };
  show(
    <ComposeFrame {...props} place="window">
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
