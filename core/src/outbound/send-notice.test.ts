import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { buildCompany } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { systemContext } from '../context/context.ts';
import { Company } from '../models/company.ts';
import { Domain } from '../models/domain.ts';
import { senderAddress } from './send-notice.ts';

it('writes notices in the name of no domain that the provider has not proved', async () => {
  const app = await testApp();
  const ctx = systemContext(app);
  await buildCompany(app, { isProvider: true });
  const provider = await Company.findOne({ where: { isProvider: true }, rejectOnEmpty: true });
  const companyId = String(provider.id);
  await Domain.update({ activeStatus: false }, { where: { companyId } });
  await Domain.create({ companyId, domainName: `${randomUUID()}.test`, verifiedAt: null });
  expect(await senderAddress(ctx)).toBe('postmaster@host.test');
  const proved = await Domain.create({ companyId, domainName: `${randomUUID()}.test`, verifiedAt: new Date() });
  expect(await senderAddress(ctx)).toBe(`postmaster@${proved.domainName}`);
});
