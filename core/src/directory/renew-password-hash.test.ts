import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { outdatedHash } from '../../../tests/support/outdated-hash.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { systemContext } from '../context/context.ts';
import { User } from '../models/user.ts';
import { needsRehash, verifyPassword } from '../secrets/password-hash.ts';
import { authenticateMailbox } from './authenticate-mailbox.ts';
import { renewPasswordHash } from './renew-password-hash.ts';

const password = 'made long ago';
let app: App;

beforeAll(async () => {
  app = await testApp();
});

const build = async (): Promise<User> =>
  (await buildMailbox(app, { user: { passwordHash: outdatedHash(password) } })).user;

describe('an outdated password hash', () => {
  it('is renewed when a mail program logs in, and the password stays the same', async () => {
    const user = await build();
    const logIn = (given: string) => authenticateMailbox(systemContext(app), user.email, given);
    expect(await logIn('wrong')).toMatchObject({ ok: false });
    expect((await user.reload()).passwordHash).toBe(outdatedHash(password));
    expect(await logIn(password)).toMatchObject({ ok: true });
    const { passwordHash } = await user.reload();
    expect(needsRehash(passwordHash)).toBe(false);
    expect(await verifyPassword(password, passwordHash)).toBe(true);
    expect(await logIn(password)).toMatchObject({ ok: true });
  });

  it('does not come back over a password that was changed meanwhile', async () => {
    const user = await build();
    const stale = await User.findByPk(user.id, { rejectOnEmpty: true });
    await user.update({ passwordHash: outdatedHash('another') });
    await renewPasswordHash(systemContext(app), stale, password);
    expect((await user.reload()).passwordHash).toBe(outdatedHash('another'));
  });
});
