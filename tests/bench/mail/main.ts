/** Measures how long everyday actions in a large mailbox take; see `./ops/bench/mail`. */
import { loadConfig } from '@selvage/core/process/config';
import { systemContext } from '@selvage/core/context/context';
import { updateIndex } from '@selvage/core/search/update-index';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import { print, printError } from '../../../ops/print.ts';
import { startDnsServer } from '../../support/dns-server.ts';
import { buildMailbox, type Mailbox } from '../../support/factories.ts';
import { fillLargeMailbox } from '../large-mailbox.ts';
import { startPrivateStack } from '../private-stack.ts';
import { problems } from './judged.ts';
import { measureCrowd } from './measure-crowd.ts';
import { measureDisk } from './measure-disk.ts';
import { measurePages } from './measure-pages.ts';
import { measurePaint } from './measure-paint.ts';
import { measureYardstick } from './measure-yardstick.ts';

const messages = Number(process.env['MESSAGES'] ?? 1_000_000);
const parts = (process.env['PARTS'] ?? 'pages paint crowd disk yardstick').split(' ');
const yardstick = process.env['YARDSTICK'];

const dns = await startDnsServer({
  'bench.invalid': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
  '_dmarc.bench.invalid': { TXT: ['v=DMARC1; p=reject'] },
});
const stack = await startPrivateStack({
  SELVAGE_HOSTNAME: 'host.bench.test',
  SELVAGE_ADMIN_EMAIL: 'a@bench.test',
  SELVAGE_ADMIN_PASSWORD: 'a long pass phrase',
  DNS_SERVERS: dns.address,
  SMTP_RATE_PER_MINUTE_PER_ADDRESS: '0',
});
const app = await startApp(loadConfig({ ...stack.environment, LOG_LEVEL: 'error' }), { role: 'migrate' });
const url = `http://127.0.0.1:${stack.ports.http}`;

/** Makes one large mailbox, with its search index, for the parts that need it. */
async function large(): Promise<Mailbox> {
  const mailbox = await buildMailbox(app);
  const userId = String(mailbox.user.id);
  await fillLargeMailbox(app, mailbox, messages);
  print(`an inbox of ${messages} messages is filled`);
  while (!(await updateIndex(systemContext(app), userId, { deadline: performance.now() + 60_000 })).isCurrent);
  print('and indexed');
  return mailbox;
}

try {
  const mailbox = parts.includes('pages') || parts.includes('paint') ? await large() : null;
  if (mailbox && parts.includes('pages')) await measurePages(app, url, mailbox, messages);
  if (mailbox && parts.includes('paint')) await measurePaint(app, url, mailbox);
  if (parts.includes('crowd')) await measureCrowd(app, { url, smtp: stack.ports.smtp });
  if (parts.includes('disk')) await measureDisk(app);
  if (yardstick && parts.includes('yardstick')) await measureYardstick(app, url, yardstick);
} finally {
  await stopApp(app);
  await stack.stop();
  await dns.stop();
}
for (const problem of problems) printError(problem);
process.exit(problems.length === 0 ? 0 : 1);
