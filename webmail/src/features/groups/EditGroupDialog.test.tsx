import type { GroupDetailDto } from '@selvage/core/contracts/groups';
import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../lib/session.ts';
import { pending, show } from '../../test/render.tsx';
import { EditGroupDialog } from './EditGroupDialog.tsx';
import type { Member } from './MembersField.tsx';

const personCalled = (fname: string, _id: string): Member => ({
  _id,
  fname,
  lname: '',
  email: `${fname.toLowerCase()}@mill.test`,
});
const [ana, ben, cem, dua] = [
  personCalled('Ana', '1'),
  personCalled('Ben', '2'),
  personCalled('Cem', '3'),
  personCalled('Dua', '4'),
];

vi.mock('../../components/form/RecordPicker.tsx', () => ({
  RecordPicker: ({ onPick }: { onPick: (id: string, person: Member) => void }) => (
    <div>
      <input aria-label="Find" />
      {[ana, ben, cem, dua].map((person) => (
        <button type="button" key={person._id} onClick={() => onPick(person._id, person)}>
          Pick {person.fname}
        </button>
      ))}
    </div>
  ),
}));

const groupOf = (version: number, ...members: Member[]): GroupDetailDto => ({
  _id: '9',
  name: 'Sales',
  address: 'sales@mill.test',
  company_id: { _id: '5', name: 'Mill' },
  people: members.length,
  active_status: true,
  createdAt: '2026-11-30T08:00:00.000Z',
  updatedAt: '2026-11-30T08:00:00.000Z',
  version,
  abilities: { edit: true, delete: true, restore: false, erase: false },
  members: members.map((member) => ({ ...member, active_status: true })),
});

/** The group as the server has it. */
let saved: GroupDetailDto;
/** What the form sent, as far as it concerns people. */
let sent: object[] = [];

beforeEach(() => {
  saved = groupOf(1, ana, ben);
  sent = [];
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '6' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (_url: string, { method, body }: RequestInit = {}) => {
    if (method !== 'PUT') return Response.json({ success: true, message: '', data: saved });
    const { version, ...change } = JSON.parse(String(body));
    sent.push(change);
    if (version === saved.version) return Response.json({ success: true, message: '', data: saved });
    const conflict = { by: 'Asha', at: saved.updatedAt, fields: ['members'], current: saved };
    return Response.json({ success: false, message: '', code: 'changed_meanwhile', conflict }, { status: 409 });
  });
});
afterEach(() => vi.unstubAllGlobals());

async function openForm() {
  const onClose = vi.fn();
  const { person } = show(<EditGroupDialog id="9" onClose={onClose} />);
  await screen.findByText('ana@mill.test');
  const press = async (name: string) => await person.click(await screen.findByRole('button', { name }));
  const isClosed = () => waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  return { person, press, isClosed };
}
const shown = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent.split(' ')[0]);

it('names no people when another field was changed', async () => {
  const { person, press, isClosed } = await openForm();
  await person.type(screen.getByLabelText(/^Group Name/), ' team');
  await press('Save');
  await isClosed();
  expect(sent).toEqual([{ name: 'Sales team', active_status: true, add_members: [], remove_members: [] }]);
});

it('sends the people that were added and taken out', async () => {
  const { press, isClosed } = await openForm();
  await press('Remove Ben');
  await press('Pick Cem');
  await press('Pick Dua');
  await press('Remove Dua');
  await press('Remove Ana');
  await press('Pick Ana');
  expect(shown()).toEqual(['Ana', 'Cem']);
  await press('Save');
  await isClosed();
  expect(sent).toMatchObject([{ add_members: ['3'], remove_members: ['2'] }]);
});

it('hands the focus on from a person that is taken out', async () => {
  const { person, press } = await openForm();
  await press('Remove Ana');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove Ben' })));
  await person.keyboard('{Enter}');
  await screen.findByText(/^No people yet/);
  expect(document.activeElement).toBe(screen.getByLabelText('Find'));
});

it('keeps the people of another administrator beside its own', async () => {
  const { press, isClosed } = await openForm();
  await press('Remove Ben');
  await press('Pick Cem');
  saved = groupOf(2, ana, ben, dua);
  await press('Save');
  await press('Keep my changes on top');
  expect(shown()).toEqual(['Ana', 'Dua', 'Cem']);
  await press('Save');
  await isClosed();
  expect(sent.at(-1)).toMatchObject({ add_members: ['3'], remove_members: ['2'] });
});

function Page() {
  const [isOpen, setOpen] = useState(false);
  return (
    <main>
      <h1 tabIndex={-1}>Groups</h1>
      <button type="button" onClick={() => setOpen(true)}>
        Edit Sales
      </button>
      {isOpen && <EditGroupDialog id="9" onClose={() => setOpen(false)} />}
    </main>
  );
}

it('is there while the group is on its way, and gives the focus back to where it was opened', async () => {
  const loaded = pending<void>();
  const answer = () => Response.json({ success: true, message: '', data: saved });
  vi.stubGlobal('fetch', () => loaded.promise.then(answer));
  const { person } = show(<Page />);
  const edit = screen.getByRole('button', { name: 'Edit Sales' });
  await person.click(edit);
  const dialog = screen.getByRole('dialog', { name: 'Edit Group' });
  within(dialog).getByRole('progressbar', { name: 'Loading' });
  await person.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(document.activeElement).toBe(edit));
  await person.click(edit);
  loaded.resolve();
  await screen.findByText('ana@mill.test');
  expect(screen.queryByRole('progressbar')).toBeNull();
  await person.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(edit));
});
