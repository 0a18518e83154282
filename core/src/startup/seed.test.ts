import { expect, it } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { systemContext } from '../context/context.ts';
import { User } from '../models/user.ts';
import { loadConfig } from '../process/config.ts';
import { seedFirstStart } from './seed.ts';

it('names the administrator that the host has, whatever the settings of a later start say', async () => {
  const app = await testApp();
  const later = loadConfig({ ...app.config.source.given, SELVAGE_ADMIN_EMAIL: 'other@renamed.test' });
  const start = () => seedFirstStart(systemContext(app), later);
  expect(await start()).toEqual({ email: app.config.adminEmail, password: null });
  await User.update({ deletedAt: new Date() }, { where: { email: app.config.adminEmail } });
  expect(await start()).toEqual({ email: null, password: null });
});
