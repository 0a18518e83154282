import { beforeAll, describe, it } from 'vitest';
import { buildCompany, type Tenant } from '../support/factories.ts';
import { survive } from '../support/load.ts';
import { prepareSigning } from '../support/signing.ts';
import { type ProgramName, startTestHost, type TestHost } from '../support/test-host.ts';

let host: TestHost;
let tenant: Tenant;

beforeAll(async () => {
  host = await startTestHost({ UNDO_MS: '0' });
  tenant = await buildCompany(host.app);
  await prepareSigning(host, tenant);
});

describe('kill -9 under load', () => {
  it.each(['inbound', 'api', 'submission', 'workers'] as ProgramName[])(
    'of %s loses nothing that was answered, and doubles nothing',
    async (name) => {
      const disaster = async () => {
        await host.end(name, 'SIGKILL');
        await host.start(name);
      };
      await survive({ host, tenant }, `killed ${name}`, disaster, { mayRepeat: name === 'workers' });
    },
  );
});
