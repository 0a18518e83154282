import { systemContext } from '@selvage/core/context/context';
import { DkimKey } from '@selvage/core/models/dkim-key';
import { expect, it } from 'vitest';
import { buildCompany } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { makeDkimKey } from './generate-dkim.ts';

it('makes the key of a selector once', async () => {
  const app = await testApp();
  const ctx = systemContext(app);
  const { domain } = await buildCompany(app);
  const input = { domainId: String(domain.id), selector: 's2' };
  await Promise.all([makeDkimKey(ctx, input), makeDkimKey(ctx, input)]);
  await makeDkimKey(ctx, input);
  const keys = await DkimKey.findAll({ where: input });
  expect(keys).toHaveLength(1);
  expect(keys[0]?.privateKey).not.toContain('PRIVATE KEY');
});
