import { getCurrentUser } from '@selvage/core/contracts/auth';
import { saveChoices } from '@selvage/core/contracts/choices';
import { User } from '@selvage/core/models/user';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

async function person() {
  const { user, password } = await buildMailbox(server.app);
  const { token } = await server.signIn(user.email, password);
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    server.call(method, path, { token, body });
  const choices = async () => ((await call('GET', getCurrentUser.path)).body.data as { choices: unknown }).choices;
  return { user, save: (body: unknown) => call('PUT', saveChoices.path, body), choices };
}

describe('what a person has chosen', () => {
  it('is kept for all of their devices, and grows by what they choose', async () => {
    const { user, save, choices } = await person();
    expect(await choices()).toEqual({});
    const { version, updatedAt } = await User.findByPk(user.id, { rejectOnEmpty: true });
    expect((await save({ theme: 'dark', page_sizes: { mail: 25 } })).body.data).toEqual({
      theme: 'dark',
      page_sizes: { mail: 25 },
    });
    await save({ folded: ['host'], page_sizes: { users: 10 } });
    await save({ theme: 'light' });
    const all = { theme: 'light', folded: ['host'], page_sizes: { mail: 25, users: 10 } };
    expect(await choices()).toEqual(all);
    expect((await save({})).body.data).toEqual(all);
    // The forms of the profile still save what they began with
    const now = await User.findByPk(user.id, { rejectOnEmpty: true });
    expect([now.version, now.updatedAt]).toEqual([version, updatedAt]);
    expect(await (await person()).choices()).toEqual({});
  });

  it.each([
    { theme: 'blue' },
    { density: null },
    { page_sizes: { mail: 0 } },
    { page_sizes: { 'Not a name': 5 } },
    { page_sizes: Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`list-${index}`, 5])) },
    { folded: Array.from({ length: 21 }, () => 'mail') },
    { folded: 'mail' },
    { pane_share: 40 },
    { swipe_left: 'up' },
    { theme: 'dark', anything: 'x'.repeat(100_000) },
    [],
  ])('is not %j', async (body) => {
    const { save, choices } = await person();
    expect((await save(body)).status).toBe(422);
    expect(await choices()).toEqual({});
  });

  it('is added up when two devices choose at once', async () => {
    const { save, choices } = await person();
    await Promise.all([
      save({ theme: 'dark' }),
      save({ density: 'compact' }),
      ...Array.from({ length: 8 }, (_, index) => save({ page_sizes: { [`list-${index}`]: 10 } })),
    ]);
    const kept = (await choices()) as { page_sizes: object };
    expect(kept).toMatchObject({ theme: 'dark', density: 'compact' });
    expect(Object.keys(kept.page_sizes)).toHaveLength(8);
  });

  it('has the page sizes of forty lists at most, the latest', async () => {
    const { save, choices } = await person();
    const sizes = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`list-${from + index}`, 5]));
    await save({ page_sizes: sizes(0, 40) });
    await save({ page_sizes: { ...sizes(100, 5), 'list-0': 25 } });
    const { page_sizes: kept } = (await choices()) as { page_sizes: Record<string, number> };
    expect(Object.keys(kept)).toHaveLength(40);
    expect([kept['list-0'], kept['list-5'], kept['list-6'], kept['list-104']]).toEqual([25, undefined, 5, 5]);
  });

  it('is read without what another version of the host has written', async () => {
    const { user, choices, save } = await person();
    await User.update({ choices: { theme: 'sepia', rail: true, later: 1 } }, { where: { id: user.id } });
    expect(await choices()).toEqual({ rail: true });
    await save({ theme: 'dark' });
    expect(await choices()).toEqual({ rail: true, theme: 'dark' });
  });
});
