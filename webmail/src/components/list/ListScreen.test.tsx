import { endpoint } from '@selvage/core/contracts/endpoint';
import { asList } from '@selvage/core/contracts/list';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation, useNavigate } from 'react-router-dom';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { currentUserKey } from '../../lib/query-client.ts';
import { type ListServer, serveList } from '../../test/list-server.ts';
import { logInAs } from '../../test/log-in-as.ts';
import { show } from '../../test/render.tsx';
import { ListScreen } from './ListScreen.tsx';

interface Wool {
  _id: string;
  name: string;
  ply: number;
}

const listWools = endpoint({
  method: 'GET',
  path: '/wool/get/all',
  summary: 'The wools',
  needs: 'public',
  ...asList({ sort: ['name', 'ply'], defaultSort: 'name', filters: { colour: z.string().optional() } }),
  answer: z.array(z.object({ _id: z.string(), name: z.string(), ply: z.number() })),
});

const addWool = endpoint({
  method: 'POST',
  path: '/wool/create',
  summary: 'Adds a wool',
  needs: { model: 'company', action: 'edit' },
  answer: z.undefined(),
});

const wools: Wool[] = Array.from({ length: 28 }, (_wool, index) => ({
  _id: String(index + 1),
  name: `Wool ${String(index + 1).padStart(2, '0')}`,
  ply: index % 4,
}));
const columns = [
  { id: 'name', title: 'Name', cell: ({ name }: Wool) => name },
  { id: 'ply', title: 'Ply', cell: ({ ply }: Wool) => ply },
  { id: 'dyer', title: 'Dyer', cell: () => 'Erode' },
];
const colours = [{ value: 'red', label: 'Red' }];
const handleDelete = vi.fn<(wool: Wool) => void>();
const handleAdd = vi.fn<() => void>();

let server: ListServer;

beforeEach(() => {
  localStorage.clear();
  handleDelete.mockReset();
  handleAdd.mockReset();
  server = serveList((query) =>
    wools.filter(({ name }) => name.toLowerCase().includes((query['search'] ?? '').toLowerCase())),
  );
});

/** What the address of the list says after its path, and the Back button. */
function Address() {
  const { search } = useLocation();
  const navigate = useNavigate();
  return (
    <>
      <output aria-label="Address">{search}</output>
      <button type="button" onClick={() => void navigate(-1)}>
        Back
      </button>
    </>
  );
}

function open(path = '/list', lookAgainMs?: number) {
  return show(
    <>
      <Address />
      <ListScreen
        title="Wools"
        endpoint={listWools}
        queryKey={['wools']}
        searchLabel="Search wools"
        filters={[{ name: 'colour', label: 'Colour', choices: colours }]}
        columns={columns}
        keyOf={({ _id }) => _id}
        nameOf={({ name }) => name}
        linkOf={({ _id }) => `/list/${_id}`}
        actionsOf={(wool) => [{ label: 'Delete', run: () => handleDelete(wool), isDangerous: true }]}
        empty={{
          title: 'No wools found',
          narrowedTitle: 'No wools found matching your search',
          narrowedHint: 'Wool that was dyed has another name.',
          hint: 'Wool is what cloth begins with.',
        }}
        add={{ call: addWool, label: 'Add Wool', run: handleAdd }}
        isNumbered
        lookAgainMs={lookAgainMs}
        renderSelection={({ chosen }) => <button type="button">Dye {chosen.map(({ name }) => name).join(', ')}</button>}
      />
    </>,
    path,
  );
}

const address = (): string => decodeURIComponent(screen.getByLabelText('Address').textContent);
const names = (): string[] => screen.queryAllByRole('link').map(({ textContent }) => textContent);
const row = (name: string): Promise<HTMLElement> => screen.findByRole('link', { name });
const tick = (name: string): HTMLElement => screen.getByRole('checkbox', { name: `Select ${name}` });
const press = (name: string): HTMLElement => screen.getByRole('button', { name });

describe('a list', () => {
  it('sorts by the columns that the contract sorts by, and by no others', async () => {
    const { person } = open();
    await row('Wool 01');
    const heading = (name: RegExp): HTMLElement => screen.getByRole('columnheader', { name });
    expect(heading(/Name/).getAttribute('aria-sort')).toBe('ascending');
    expect(within(heading(/Dyer/)).queryByRole('button')).toBeNull();
    await person.click(press('Ply'));
    expect(heading(/Ply/).getAttribute('aria-sort')).toBe('ascending');
    await person.click(press('Ply'));
    expect(heading(/Ply/).getAttribute('aria-sort')).toBe('descending');
    expect(address()).toBe('?sort=-ply');
    await waitFor(() => expect(server.asked.at(-1)).toMatchObject({ sort: '-ply' }));
    await person.click(press('Name'));
    // The order that it has by itself is not in the address
    expect(address()).toBe('');
  });

  it('is sorted by a choice where cards have no headings', async () => {
    const { person } = open();
    await row('Wool 01');
    // It is hidden on wide screens, and a simulated browser knows no other ones
    const choice = screen.getByRole('combobox', { name: 'Sort by', hidden: true });
    expect(choice).toHaveProperty('value', 'name');
    const offered = within(choice).getAllByRole('option', { hidden: true });
    expect(offered.map(({ textContent }) => textContent)).toEqual([
      'Name, ascending',
      'Name, descending',
      'Ply, ascending',
      'Ply, descending',
    ]);
    await person.selectOptions(choice, '-ply');
    expect(address()).toBe('?sort=-ply');
    await waitFor(() => expect(server.asked.at(-1)).toMatchObject({ sort: '-ply' }));
  });

  it('asks for what its address says, and shows it', async () => {
    open('/list?page=2&limit=5&search=wool&sort=-ply&colour=red');
    await row('Wool 06');
    expect(server.asked[0]).toEqual({ page: '2', limit: '5', search: 'wool', sort: '-ply', colour: 'red' });
    expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search wools' }).value).toBe('wool');
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Colour' }).value).toBe('red');
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Rows per page' }).value).toBe('5');
  });

  it('numbers its rows through all of its pages', async () => {
    open('/list?page=2&limit=5');
    const first = (await row('Wool 06')).closest('tr');
    expect(within(first as HTMLElement).getAllByRole('cell')[1]?.textContent).toBe('6');
    expect(screen.getByRole('columnheader', { name: '#' })).toBeDefined();
  });

  it('ignores what the address asks for and the list does not offer', async () => {
    open('/list?page=-1&limit=7&sort=dyer&owner=1');
    await row('Wool 01');
    expect(server.asked[0]).toEqual({ page: '1', limit: '10', sort: 'name' });
  });

  it('searches 300 ms after the last key, from the first page on', async () => {
    open('/list?page=2');
    await row('Wool 11');
    const before = server.asked.length;
    const begun = performance.now();
    for (const value of ['w', 'wool', 'wool 2']) fireEvent.change(screen.getByRole('searchbox'), { target: { value } });
    expect(server.asked).toHaveLength(before);
    expect(address()).toBe('?page=2');
    await waitFor(() => expect(address()).toBe('?search=wool+2'), { interval: 5 });
    expect(performance.now() - begun).toBeGreaterThan(300);
    await row('Wool 28');
    expect(server.asked.slice(before).map(({ search }) => search)).toEqual(['wool 2']);
    expect(names()).toHaveLength(9);
  });

  it('is narrowed by a filter until the filters are cleared', async () => {
    const { person } = open('/list?page=2');
    await row('Wool 11');
    await person.selectOptions(screen.getByRole('combobox', { name: 'Colour' }), 'Red');
    expect(address()).toBe('?colour=red');
    await waitFor(() => expect(server.asked.some(({ colour, page }) => colour === 'red' && page === '1')).toBe(true));
    // Also what was typed a moment ago and is not searched for yet
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'wool 2' } });
    await person.click(press('Clear Filters'));
    expect(address()).toBe('');
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('');
  });

  it.each(['wool 2', 'flax'])('gives its search the focus when a key has cleared it of %s', async (text) => {
    const { person } = open(`/list?search=${text}`);
    await waitFor(() => expect(server.asked).toHaveLength(1));
    const find = () => screen.getAllByRole('button', { name: 'Clear Filters' }).at(-1);
    if (text === 'flax') await screen.findByText('No wools found matching your search');
    find()?.focus();
    await person.keyboard('{Enter}');
    await row('Wool 01');
    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
  });

  it('keeps a change that the page does not show yet', async () => {
    open('/list?page=2');
    await row('Wool 11');
    act(() => {
      fireEvent.change(screen.getByRole('combobox', { name: 'Colour' }), { target: { value: 'red' } });
      fireEvent.click(press('Ply'));
    });
    expect(address()).toBe('?colour=red&sort=ply');
    // And begins with what the address says, wherever it comes from
    fireEvent.click(press('Back'));
    await waitFor(() => expect(address()).toBe('?colour=red'));
    fireEvent.click(press('Ply'));
    expect(address()).toBe('?colour=red&sort=ply');
  });
});

describe('the pages of a list', () => {
  it('are steps in the history of the browser', async () => {
    const { person } = open();
    await row('Wool 01');
    expect(press('Previous page').getAttribute('aria-disabled')).toBe('true');
    await person.click(press('Next page'));
    await row('Wool 11');
    expect(address()).toBe('?page=2');
    await person.click(press('Next page'));
    await row('Wool 21');
    expect(screen.getByText('21–28 of 28')).toBeTruthy();
    expect(press('Next page').getAttribute('aria-disabled')).toBe('true');
    await person.click(press('Back'));
    await row('Wool 11');
    expect(address()).toBe('?page=2');
  });

  it('lead to the last one from an address beyond it', async () => {
    open('/list?page=9');
    await row('Wool 21');
    expect(address()).toBe('?page=3');
  });

  it('keep a chosen size for the next visit', async () => {
    const { person, unmount } = open('/list?page=2');
    await row('Wool 11');
    const sizes = screen.getByRole('combobox', { name: 'Rows per page' });
    expect(
      within(sizes)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['5', '10', '15', '20', '40', '80']);
    await person.selectOptions(sizes, '20');
    expect(address()).toBe('?limit=20');
    await row('Wool 20');
    unmount();
    open();
    await row('Wool 20');
    expect(server.asked.at(-1)).toMatchObject({ limit: '20' });
  });

  it('are fetched one ahead, so that the next shows at once', async () => {
    const { person } = open();
    await row('Wool 01');
    await waitFor(() => expect(server.asked.map(({ page }) => page)).toEqual(['1', '2']));
    await waitFor(() => expect(screen.getByText('1–10 of 28')).toBeTruthy());
    server.hold();
    await person.click(press('Next page'));
    expect(names()[0]).toBe('Wool 11');
  });

  it('are not fetched ahead on a metered connection', async () => {
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { connection: { saveData: true } }));
    const { person } = open();
    await row('Wool 01');
    await person.click(press('Next page'));
    await row('Wool 11');
    expect(server.asked.map(({ page }) => page)).toEqual(['1', '2']);
  });
});

describe('a list without rows', () => {
  it('shows a skeleton until its rows come, then their number beside the heading', async () => {
    const answer = server.hold();
    open();
    expect(screen.getByRole('progressbar', { name: 'Loading: Wools' })).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
    answer();
    await row('Wool 01');
    expect(names()).toHaveLength(10);
    expect(screen.getByText('28 in all')).toBeTruthy();
    expect(screen.getByText('1–10 of 28')).toBeTruthy();
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('says what it is for when it is empty, and how to begin', async () => {
    server = serveList(() => []);
    logInAs({ permissions: [{ model: 'company', edit: true }] });
    const { person } = open();
    await screen.findByText('No wools found');
    expect(screen.getByText('Wool is what cloth begins with.')).toBeTruthy();
    await screen.findAllByRole('button', { name: 'Add Wool' });
    // In the heading, where it stays once there are rows, and in the empty list
    for (const button of screen.getAllByRole('button', { name: 'Add Wool' })) await person.click(button);
    expect(handleAdd).toHaveBeenCalledTimes(2);
    expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull();
  });

  it('offers nothing to add to people who may not make the call', async () => {
    server = serveList(() => []);
    logInAs({ permissions: [{ model: 'company', edit: false }] });
    const { client } = open();
    await screen.findByText('No wools found');
    await waitFor(() => expect(client.getQueryData(currentUserKey)).toBeDefined());
    expect(screen.queryByRole('button', { name: 'Add Wool' })).toBeNull();
  });

  it('says when nothing matches, and offers to clear the search', async () => {
    const { person } = open('/list?search=flax');
    await screen.findByText('No wools found matching your search');
    screen.getByText('Wool that was dyed has another name.');
    expect(screen.queryByText('No wools found')).toBeNull();
    const buttons = screen.getAllByRole('button', { name: 'Clear Filters' });
    await person.click(buttons.at(-1) as HTMLElement);
    await row('Wool 01');
    expect(address()).toBe('');
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('');
  });

  it('says what failed, and tries again', async () => {
    server.failure = 'The database is away.';
    const { person } = open();
    await screen.findByText(/The database is away\./);
    server.failure = null;
    await person.click(press('Retry'));
    await row('Wool 01');
    expect(screen.queryByText(/The database is away\./)).toBeNull();
  });
});

describe('the rows of a list', () => {
  it('stay until those of another order come', async () => {
    const { person } = open();
    await row('Wool 01');
    const answer = server.hold();
    await person.click(press('Ply'));
    expect(names()).toHaveLength(10);
    expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true');
    expect(screen.getByRole('progressbar', { name: 'Loading: Wools' })).toBeTruthy();
    answer();
    await waitFor(() => expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('false'));
  });

  it('follow what the server has, on a page whose rows change by themselves', async () => {
    let dyed = 'Red';
    server = serveList(() => [{ _id: '1', name: dyed, ply: 1 }]);
    open('/list', 20);
    await row('Red');
    dyed = 'Blue';
    await row('Blue');
  });

  it('have a menu of what can be done with them', async () => {
    const { person } = open();
    await row('Wool 03');
    await person.click(press('Actions for Wool 03'));
    await person.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    expect(handleDelete.mock.calls).toEqual([[wools[2]]]);
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    expect(document.activeElement).toBe(press('Actions for Wool 03'));
  });

  it('are walked by the arrow keys', async () => {
    const { person } = open();
    (await row('Wool 01')).focus();
    await person.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
    expect(document.activeElement?.textContent).toBe('Wool 02');
    await person.keyboard('{ArrowUp}{ArrowUp}');
    expect(document.activeElement?.textContent).toBe('Wool 01');
  });
});

describe('the ticks of a list', () => {
  const chosenNames = (): string[] =>
    screen.getByRole('button', { name: /^Dye/ }).textContent.replace('Dye ', '').split(', ');

  it('take all between two rows with the shift key, up and down, and give them back', async () => {
    const { person } = open();
    await row('Wool 01');
    await person.click(tick('Wool 04'));
    await person.keyboard('{Shift>}');
    await person.click(tick('Wool 02'));
    await person.keyboard('{/Shift}');
    expect(screen.getByText('3 selected')).toBeTruthy();
    expect(chosenNames()).toEqual(['Wool 02', 'Wool 03', 'Wool 04']);
    await person.click(tick('Wool 02'));
    await person.keyboard('{Shift>}');
    await person.click(tick('Wool 03'));
    await person.keyboard('{/Shift}');
    expect(chosenNames()).toEqual(['Wool 04']);
  });

  it('take the page, in part or whole', async () => {
    const { person } = open();
    await row('Wool 01');
    const page = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all on this page' });
    await person.click(tick('Wool 01'));
    expect([page.checked, page.indeterminate]).toEqual([false, true]);
    await person.click(page);
    expect(screen.getByText('10 selected')).toBeTruthy();
    expect([page.checked, page.indeterminate]).toEqual([true, false]);
    await person.click(page);
    expect(screen.queryByText(/selected/)).toBeNull();
    expect(screen.getByRole('searchbox')).toBeTruthy();
  });

  it('are gone when another page is shown, and stay gone', async () => {
    const { person } = open();
    await row('Wool 01');
    await person.click(tick('Wool 01'));
    expect(screen.queryByRole('searchbox')).toBeNull();
    await person.click(press('Next page'));
    await row('Wool 11');
    expect(screen.queryByText(/selected/)).toBeNull();
    await person.click(press('Previous page'));
    await row('Wool 01');
    // An action must not reach rows that were ticked on a page the person has left
    expect(screen.queryByText(/selected/)).toBeNull();
  });

  it('does not say that nothing was found while it looks for something else', async () => {
    const { person } = open('/list?search=jute');
    await screen.findByText('No wools found matching your search');
    const answer = server.hold();
    await person.clear(screen.getByRole('searchbox', { name: 'Search wools' }));
    await screen.findByRole('progressbar', { name: 'Loading: Wools' });
    expect(screen.queryByText('No wools found')).toBeNull();
    answer();
    await screen.findByText('Wool 01');
  });
});
