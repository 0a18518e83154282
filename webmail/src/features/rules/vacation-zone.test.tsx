import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import { VacationTab } from './VacationTab.tsx';

vi.mock('../../lib/own-time-zone.ts', () => ({ ownTimeZone: () => 'Asia/Tokyo' }));

const days = { first_day: '2026-08-01', last_day: '2026-08-14', time_zone: 'Europe/Berlin' };
const noDays = { first_day: null, last_day: null, time_zone: 'UTC' };
const person = {
  _id: '7',
  email: 'ana@weavers.test',
  company_id: { is_provider: false },
  role_id: { role_id: 5 },
  permissions: [{ model: 'accountsettings', view: true, create: true, edit: true, delete: true }],
};

let stored: object;
let sent: unknown[] = [];

beforeEach(() => {
  sent = [];
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit = {}) => {
    if (method === 'PUT') {
      const form: object = JSON.parse(String(body));
      sent.push(form);
      stored = { ...stored, ...form };
    }
    return Response.json({ success: true, message: '', data: url.endsWith('/user/info') ? person : stored });
  });
});
afterEach(() => vi.unstubAllGlobals());

async function open(when: object) {
  stored = { is_on: true, subject: '', body: 'Back soon.', only_known: false, state: 'planned', ...when };
  const shown = show(<VacationTab />);
  const button = await screen.findByRole('button', { name: 'Save' });
  const save = async (): Promise<unknown> => {
    const before = sent.length;
    await shown.person.click(button);
    await waitFor(() => expect(sent).toHaveLength(before + 1));
    await waitFor(() => expect(shown.client.isFetching()).toBe(0));
    return sent.at(-1);
  };
  return { save };
}

it('leaves the days in the time zone in which they were set, and says so', async () => {
  const { save } = await open(days);
  screen.getByText(/^The days are those of Europe\/Berlin/);
  expect(await save()).toMatchObject(days);
  screen.getByText(/^The days are those of Europe\/Berlin/);
});

it('counts days that are changed in the time zone of the person, and says so', async () => {
  const { save } = await open(days);
  fireEvent.change(screen.getByLabelText('Last day'), { target: { value: '2026-08-21' } });
  screen.getByText('The days are those of your time zone, Asia/Tokyo.');
  expect(await save()).toMatchObject({ first_day: '2026-08-01', last_day: '2026-08-21', time_zone: 'Asia/Tokyo' });
  screen.getByText('The days are those of your time zone, Asia/Tokyo.');
});

it('names the time zone of the person for days that are still to be set', async () => {
  const { save } = await open(noDays);
  screen.getByText('The days are those of your time zone, Asia/Tokyo.');
  expect(await save()).toMatchObject(noDays);
  fireEvent.change(screen.getByLabelText('First day'), { target: { value: '2026-08-01' } });
  screen.getByText('The days are those of your time zone, Asia/Tokyo.');
  expect(await save()).toMatchObject({ first_day: '2026-08-01', last_day: null, time_zone: 'Asia/Tokyo' });
});
