import { builtInRole } from '../contracts/permissions.ts';
import { systemContext } from '../context/context.ts';
import { buildCompany, buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { expect, it } from 'vitest';
import { findAdministrators } from './find-administrators.ts';

it('the administrators who are told are its Super Admins first, however many Admins a company has', async () => {
  const app = await testApp();
  const tenant = await buildCompany(app);
  for (let n = 0; n < 20; n += 1) await buildMailbox(app, { tenant, roleNumber: builtInRole.admin });
  const boss = await buildMailbox(app, { tenant, roleNumber: builtInRole.superAdmin });
  const found = await findAdministrators(systemContext(app), String(tenant.company.id));
  expect(found).toHaveLength(20);
  expect(found).toContain(boss.user.email);
});
