import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import { show } from '../../test/render.tsx';
import { AgreeByLink } from './AgreeByLink.tsx';

const words = { title: 'Confirm', hint: 'Is it yours?', submit: 'Yes, it is', busy: 'Confirming', doneTitle: 'Done' };
const lost = new ApiError('The server could not be reached.', { status: 0 });
const over = new ApiError('This link is not valid any more. Ask for a new one.', { status: 400, code: 'link_invalid' });

function page(...answers: Error[]) {
  const agree = vi.fn<(token: string) => Promise<string>>();
  for (const answer of answers) agree.mockRejectedValueOnce(answer);
  const { person } = show(<AgreeByLink words={words} agree={agree} />, '/auth/confirm-recovery#secret');
  const press = async () => person.click(await screen.findByRole('button', { name: 'Yes, it is' }));
  return { agree, press };
}

it('says that the first try has most likely worked when its answer was lost and the link is used now', async () => {
  const { agree, press } = page(lost, over);
  await press();
  await screen.findByText(lost.message);
  await press();
  await screen.findByText(/the try itself was most likely successful/);
  await screen.findByText('Done');
  expect(agree.mock.calls).toEqual([['secret'], ['secret']]);
});

it('says of a link that was used before the page was opened that it is over', async () => {
  const { press } = page(over, over);
  await press();
  await screen.findByText(over.message);
  await press();
  await screen.findByText(over.message);
  expect(screen.queryByText('Done')).toBeNull();
});
