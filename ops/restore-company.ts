/** `./ops/restore-company`: makes a company out of an archive; that script has the details. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { digestFile } from '@selvage/core/backup/manifest';
import { ArchiveReader } from '@selvage/core/company-archive/read-archive';
import { type CompanyRestore, restoreCompany } from '@selvage/core/company-archive/restore-company';
import { verifyArchive } from '@selvage/core/company-archive/verify-archive';
import { systemContext } from '@selvage/core/context/context';
import { OperatorError } from '@selvage/core/operator-error';
import { type Config, loadConfig } from '@selvage/core/process/config';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import { hostEnvironment, withDatabase } from './host-environment.ts';
import { print } from './print.ts';
import { runCommand } from './run-command.ts';

async function refuseOther(path: string, wanted: string): Promise<void> {
  const { sha256 } = await digestFile(path);
  if (wanted.toLowerCase() !== sha256)
    throw new OperatorError(`the file has the SHA-256 ${sha256}: it is not the archive that was named`);
}

async function check(path: string, wanted: string | undefined): Promise<number> {
  if (wanted !== undefined) await refuseOther(path, wanted);
  const reader = await ArchiveReader.open(path);
  const { company, made_at: madeAt, counts } = await verifyArchive(reader);
  await reader.close();
  print(`the archive of ${company.name} of ${madeAt} is whole: people ${counts.people}, messages ${counts.messages}`);
  return 0;
}

async function restore(config: Config, wanted: CompanyRestore): Promise<number> {
  const app = await startApp(config, { role: 'workers' });
  try {
    const { manifest, links, domains, missingModules } = await restoreCompany(systemContext(app), wanted);
    const { people, messages, drafts, lost } = manifest.counts;
    print(`restored ${manifest.company.name}: people ${people}, messages ${messages}, drafts ${drafts}`);
    if (lost > 0) print(`${lost} messages were lost on the host that made the archive, and are not in it`);
    if (missingModules.length > 0) {
      print(`this host lacks these modules, so permissions of them were left out: ${missingModules.join(', ')}`);
    }
    print('each person needs a new password. These links set those of the administrators, once, within 24 hours:');
    for (const { email, link } of links) print(`  ${email} ${link}`);
    print('the DNS of each domain has to name this host and its new signing key, see Domains in the console:');
    for (const name of domains) print(`  ${name}`);
    return 0;
  } finally {
    await stopApp(app);
  }
}

await runCommand('restore-company', async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sha256: { type: 'string' },
      'beside-it': { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
    },
  });
  const [given, ...others] = positionals;
  if (given === undefined || others.length > 0) throw new OperatorError('name one file: ./ops/restore-company FILE');
  const path = resolve(given);
  if (values.check) return await check(path, values.sha256);
  const env = hostEnvironment();
  const wanted = { path, sha256: values.sha256, isNameFree: values['beside-it'], say: print };
  return await withDatabase(env, { needsHost: true, writesFiles: true }, () => restore(loadConfig(env), wanted));
});
