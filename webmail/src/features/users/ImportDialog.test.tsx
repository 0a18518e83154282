import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import { currentUserQuery, useCurrentUser } from '../../lib/current-user.ts';
import { storeTokens } from '../../lib/session.ts';
import { pending, show } from '../../test/render.tsx';
import { ImportDialog } from './ImportDialog.tsx';

const mayCompanies = (view: boolean) => [{ model: 'company', view }];
const staff = { _id: '7', company_id: { _id: '1', is_provider: true }, permissions: mayCompanies(true) };
let caller = staff;
/** The trials of files, which the test answers, and the companies that they are for. */
let trials: { companyId: string; answer: (found: object) => void }[];
/** The ids of the imports that were asked for. All fail with `failure`. */
let imports: string[];
const failure = new ApiError('Too busy', { status: 503, code: 'too_busy' });

vi.mock('../../lib/api.ts', async (original) => ({
  ...(await original<object>()),
  api: async (_call: unknown, { body }: { body?: { companyId: string; import_id?: string } }) => {
    if (!body) return { data: caller };
    if (body.import_id) {
      imports.push(body.import_id);
      throw failure;
    }
    const { promise, resolve } = pending<object>();
    trials.push({ companyId: body.companyId, answer: resolve });
    return await promise;
  },
}));
vi.mock('../../components/form/RecordPicker.tsx', () => ({
  RecordPicker: ({ onPick }: { onPick: (id: string) => void }) =>
    ['2', '3'].map((id) => <button key={id} type="button" onClick={() => onPick(id)}>{`Company ${id}`}</button>),
}));

// The dialog comes with much of Fluent, which takes its time
beforeAll(() => import('../../components/dialog/DialogFrame.tsx'), 60_000);
beforeEach(() => {
  caller = staff;
  trials = [];
  imports = [];
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
});

it('shows nothing of a file that was checked for another company than the one that is chosen now', async () => {
  const { person, client } = show(<ImportDialog onClose={vi.fn()} />);
  client.setQueryData(currentUserQuery.queryKey, staff as never);
  await person.click(await screen.findByRole('button', { name: 'Company 2' }));
  choose('people.csv');
  await screen.findByText(/Checking/);
  await person.click(screen.getByRole('button', { name: 'Company 3' }));
  await waitFor(() => expect(screen.queryByText(/Checking/)).toBeNull());
  trials[0]?.answer({ people: 2, problemCount: 0, problems: [], guessed: [], suspended: 0, left_out: [] });
  choose('others.csv');
  await screen.findByText(/Checking/);
  expect(screen.queryByText(/2 users can be added/)).toBeNull();
  trials[1]?.answer({ people: 1, problemCount: 0, problems: [], guessed: [], suspended: 0, left_out: [] });
  await screen.findByText(/1 user can be added/);
  expect(trials.map(({ companyId }) => companyId)).toEqual(['2', '3']);
});

it('asks people of the provider who may not see companies for none: they add to their own', async () => {
  const Known = () => useCurrentUser() && <ImportDialog onClose={vi.fn()} />;
  caller = { ...staff, permissions: mayCompanies(false) };
  show(<Known />);
  await screen.findByRole('dialog');
  choose('people.csv');
  await waitFor(() => expect(trials.map(({ companyId }) => companyId)).toEqual(['1']));
  expect(screen.queryByRole('button', { name: 'Company 2' })).toBeNull();
});

it('says what was read from a file whose letters are a guess, before its users are added', async () => {
  const { person, client } = show(<ImportDialog onClose={vi.fn()} />);
  client.setQueryData(currentUserQuery.queryKey, staff as never);
  await person.click(await screen.findByRole('button', { name: 'Company 2' }));
  choose('people.csv');
  await screen.findByText(/Checking/);
  trials[0]?.answer({
    people: 2,
    problemCount: 0,
    problems: [],
    guessed: ['Dvoøák', 'Èâàí'],
    suspended: 1,
    left_out: ['Org Unit Path', 'Department'],
  });
  await screen.findByText(/not in UTF-8.* These were read as: Dvoøák, Èâàí\. If they are wrong, save/);
  await screen.findByText(/^1 of them is suspended in the system that the file comes from, and is added as inactive/);
  await screen.findByText('These columns are left out: Org Unit Path, Department.');
  await screen.findByRole('button', { name: 'Add 2 users' });
  choose('others.csv');
  await waitFor(() => expect(screen.queryByText(/not in UTF-8/)).toBeNull());
});

it('asks under the same id when the same file is added again, so that the server can give its answer again', async () => {
  const { person, client } = show(<ImportDialog onClose={vi.fn()} />);
  client.setQueryData(currentUserQuery.queryKey, staff as never);
  await person.click(await screen.findByRole('button', { name: 'Company 2' }));
  for (const [index, file] of ['people.csv', 'others.csv'].entries()) {
    choose(file);
    await screen.findByText(/Checking/);
    trials[index]?.answer({ people: 1, problemCount: 0, problems: [], guessed: [], suspended: 0, left_out: [] });
    for (const times of [1, 2]) {
      await person.click(await screen.findByRole('button', { name: 'Add 1 user' }));
      await waitFor(() => expect(imports).toHaveLength(2 * index + times));
      await screen.findByText('Too busy');
    }
  }
  const [first, again, other, otherAgain] = imports;
  expect([again, otherAgain]).toEqual([first, other]);
  expect(other).not.toBe(first);
});

function choose(name: string): void {
  const files = document.querySelector('input[type=file]') as HTMLInputElement;
  fireEvent.change(files, { target: { files: [new File(['First name'], name, { type: 'text/csv' })] } });
}
