import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { storeTokens } from '../../../lib/session.ts';
import { show } from '../../../test/render.tsx';
import { SearchFilters } from './SearchFilters.tsx';

/** What the totals say of a mailbox that has two folders of the person's own. */
const totals = {
  labels: [],
  own_folders: [
    { _id: '7', name: 'Garn', total: 1, unread: 0 },
    { _id: '8', name: 'Yarn / Wool', total: 0, unread: 0 },
  ],
};

function showFilters(text: string) {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data: totals }));
  const onChange = vi.fn();
  return { ...show(<SearchFilters text={text} onChange={onChange} />), onChange };
}

it('narrows a search to a folder that the person made', async () => {
  const { person, onChange } = showFilters('mill in:sent');
  await screen.findByRole('option', { name: 'Yarn / Wool' });
  await person.selectOptions(screen.getByRole('combobox', { name: 'Folder' }), 'Yarn / Wool');
  expect(onChange).toHaveBeenCalledWith('mill in:"Yarn / Wool"');
});

it('shows the folder of the person that the text names, in whatever capitals', async () => {
  showFilters('in:"yarn / wool" mill');
  const chosen = await screen.findByRole<HTMLOptionElement>('option', { name: 'Yarn / Wool' });
  expect(chosen.selected).toBe(true);
});
