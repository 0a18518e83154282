import { Dialog, DialogBody, DialogSurface, DialogTitle } from '@fluentui/react-components';
import { render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import '../test/render.tsx';
import { useLastingFocusManager } from './use-lasting-focus-manager.tsx';

function Notice() {
  useLastingFocusManager();
  return (
    <Dialog open>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>A notice</DialogTitle>
          <button type="button">Read</button>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}

const page = (hasNotice: boolean) => (
  <>
    <main>
      <button type="button">Behind</button>
    </main>
    {hasNotice && <Notice />}
  </>
);

it('shows the page to screen readers again after the only dialog has gone', async () => {
  const { rerender } = render(page(true));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Behind' })).toBeNull());
  rerender(page(false));
  await screen.findByRole('button', { name: 'Behind' });
});
