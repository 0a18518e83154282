import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildCompany, buildMailbox } from '../../../tests/support/factories.ts';
import { startTestApp, testApp, testEnvironment } from '../../../tests/support/test-app.ts';
import { noteBackup } from '../backup/last-backup.ts';
import type { App } from '../context/app.ts';
import { systemContext } from '../context/context.ts';
import { Queues } from '../jobs/queues.ts';
import { removeMessage } from '../jobs/remove-message.ts';
import { Delivery } from '../models/delivery.ts';
import { Domain } from '../models/domain.ts';
import { OutboxRow } from '../models/outbox-row.ts';
import { submitMessage } from '../outbound/submit-message.ts';
import { ensureCertificate } from '../secrets/certificate.ts';
import { createHostMetrics } from './host-metrics.ts';

let app: App;

beforeAll(async () => {
  app = await testApp();
});

/** The values of a look at the host, by the names and labels of their lines. */
async function look(of: App = app): Promise<Map<string, number>> {
  const text = await (await createHostMetrics(of)()).metrics();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

describe('the metrics of the host', () => {
  it('say how long outgoing mail is overdue, and how much waits', async () => {
    const before = await look();
    expect(before.get('selvage_deliveries_overdue_seconds')).toBe(0);
    const { user } = await buildMailbox(app);
    const raw = Buffer.from(`From: ${user.email}\r\nSubject: hello\r\n\r\ntext\r\n`);
    const recipients = ['a@remote.test', 'b@remote.test'];
    const { mailId } = await submitMessage(systemContext(app), { user, raw, door: 'web', bcc: [], recipients });
    await Delivery.update({ state: 'queued', nextAttemptAt: ago(500) }, { where: { mailId } });
    const after = await look();
    expect(after.get('selvage_deliveries_waiting{state="queued"}')).toBe(2);
    expect(after.get('selvage_deliveries_overdue_seconds')).toBeCloseTo(500, -2);
    // A domain that hangs: one of its deliveries was tried, so that the other waits for its turn
    await Delivery.update({ attempts: 1, nextAttemptAt: ago(-60) }, { where: { mailId, recipient: 'b@remote.test' } });
    expect((await look()).get('selvage_deliveries_overdue_seconds')).toBe(0);
    await app.db.query('UPDATE deliveries SET updated_at = :long WHERE mail_id = :mailId', {
      replacements: { long: ago(900), mailId },
    });
    expect((await look()).get('selvage_deliveries_overdue_seconds')).toBeCloseTo(500, -2);
  });

  it('say how long the oldest message has been under way, a scheduled one since it was released', async () => {
    const { user } = await buildMailbox(app);
    const raw = Buffer.from(`From: ${user.email}\r\nSubject: old\r\n\r\ntext\r\n`);
    const submitted = { user, raw, door: 'web' as const, bcc: [] };
    const queue = async (recipient: string, values: Partial<Delivery>) => {
      const { mailId } = await submitMessage(systemContext(app), { ...submitted, recipients: [recipient] });
      const later = { state: 'queued', nextAttemptAt: ago(-3600) } as const;
      await Delivery.update({ ...later, ...values }, { where: { mailId }, silent: true });
    };
    await queue('scheduled@remote.test', { createdAt: ago(90 * 86_400), releasedAt: ago(60) });
    await queue('old@remote.test', { createdAt: ago(7200) });
    await queue('young@remote.test', {});
    expect((await look()).get('selvage_deliveries_oldest_seconds')).toBeCloseTo(7200, -2);
    await Delivery.update({ state: 'relayed', nextAttemptAt: null }, { where: { state: 'queued' } });
    expect((await look()).get('selvage_deliveries_oldest_seconds')).toBe(0);
  });

  it('say how long jobs wait, before their queue and in it', async () => {
    await OutboxRow.create({
      jobName: 'test.none',
      payload: {},
      dedupeId: 'none',
      availableAt: ago(300),
      createdAt: ago(300),
    });
    const queues = new Queues(app.redis);
    await queues.add('mail', [
      {
        contract: removeMessage,
        jobId: 'waits-for-metrics',
        dedupeId: 'waits',
        data: { payload: {}, causeId: null },
      },
    ]);
    const found = await look();
    expect(found.get('selvage_outbox_overdue_seconds')).toBeGreaterThanOrEqual(299);
    expect(found.get('selvage_outbox_waiting')).toBeGreaterThanOrEqual(1);
    expect(found.get('selvage_jobs{queue="mail",state="waiting"}')).toBe(1);
    expect(found.get('selvage_jobs_oldest_waiting_seconds{queue="mail"}')).toBeGreaterThan(0);
    expect(found.get('selvage_jobs_oldest_waiting_seconds{queue="directory"}')).toBe(0);
    await queues.close();
  });

  it('name the domains whose DNS has an error, and no deleted ones', async () => {
    const [bad, gone] = [await buildCompany(app), await buildCompany(app)];
    await Domain.update({ health: 3 }, { where: { id: [bad.domain.id, gone.domain.id] } });
    await Domain.update({ deletedAt: new Date() }, { where: { id: gone.domain.id } });
    const found = await look();
    expect(found.get('selvage_domains{health="error"}')).toBe(1);
    expect(found.get(`selvage_domain_dns_error{domain="${bad.domain.domainName}"}`)).toBe(1);
    expect(found.has(`selvage_domain_dns_error{domain="${gone.domain.domainName}"}`)).toBe(false);
    await bad.domain.update({ health: 1 });
    expect((await look()).has(`selvage_domain_dns_error{domain="${bad.domain.domainName}"}`)).toBe(false);
  });

  it('say what is left of the disks and how large the database is', async () => {
    await mkdir(app.config.searchDirectory, { recursive: true });
    const found = await look();
    for (const disk of ['data', 'blobs', 'search']) {
      const free = found.get(`selvage_disk_free_bytes{disk="${disk}"}`);
      expect(free).toBeGreaterThan(0);
      expect(found.get(`selvage_disk_size_bytes{disk="${disk}"}`)).toBeGreaterThanOrEqual(free ?? 0);
    }
    expect(found.get('selvage_database_size_bytes')).toBeGreaterThan(100_000);
  });

  it('say what is left for archives only where they have a file system of their own', async () => {
    const free = 'selvage_disk_free_bytes{disk="archives"}';
    await mkdir(app.config.archives.directory, { recursive: true });
    expect((await look()).has(free)).toBe(false);
    const directory = await mkdtemp('/dev/shm/selvage-archives-');
    onTestFinished(() => rm(directory, { recursive: true }));
    const archives = { ...app.config.archives, directory };
    const found = await look({ ...app, config: { ...app.config, archives } });
    const { blocks, bsize } = await statfs(directory);
    expect(found.get('selvage_disk_size_bytes{disk="archives"}')).toBe(blocks * bsize);
    expect(found.get(free)).toBeGreaterThan(0);
  });

  it('know the certificate and the last backup, and say nothing of what is not there', async () => {
    const before = await look();
    expect(before.has('selvage_certificate_expiry_timestamp_seconds')).toBe(false);
    expect(before.has('selvage_backup_last_success_timestamp_seconds')).toBe(false);
    await ensureCertificate(app.config);
    const taken = ago(3600);
    await noteBackup(app.config.dataDir, taken);
    const after = await look();
    expect(after.get('selvage_certificate_expiry_timestamp_seconds')).toBeGreaterThan(Date.now() / 1000);
    expect(after.get('selvage_backup_last_success_timestamp_seconds')).toBeCloseTo(taken.getTime() / 1000, 0);
  });

  it('leave out what can not be read, and say so', async () => {
    await writeFile(join(app.config.dataDir, 'tls', 'cert.pem'), 'no certificate');
    const found = await look();
    expect(found.get('selvage_reading_failed{reading="certificate"}')).toBe(1);
    expect(found.has('selvage_certificate_expiry_timestamp_seconds')).toBe(false);
    expect(found.get('selvage_reading_failed{reading="deliveries"}')).toBe(0);
  });

  it('are looked at once for scrapes that come soon after each other', async () => {
    const hostMetrics = createHostMetrics(app);
    const [first, second] = await Promise.all([hostMetrics(), hostMetrics()]);
    expect(second).toBe(first);
    const value = (): Promise<string> => first.getSingleMetricAsString('selvage_backup_last_success_timestamp_seconds');
    const before = await value();
    await noteBackup(app.config.dataDir, new Date());
    await hostMetrics();
    expect(await value()).toBe(before);
  });
});

describe('a host without its engines', () => {
  it('says that Redis is away, and still tells of the rest', async () => {
    const other = await startTestApp(await testEnvironment());
    expect((await look(other)).get('selvage_engine_up{engine="redis"}')).toBe(1);
    other.redis.disconnect();
    const found = await look(other);
    expect(found.get('selvage_engine_up{engine="redis"}')).toBe(0);
    expect(found.get('selvage_engine_up{engine="database"}')).toBe(1);
    expect(found.get('selvage_reading_failed{reading="jobs"}')).toBe(1);
    expect(found.get('selvage_deliveries_overdue_seconds')).toBeGreaterThanOrEqual(0);
    await other.db.close();
    const alone = await look(other);
    expect(alone.get('selvage_engine_up{engine="database"}')).toBe(0);
    expect(alone.has('selvage_deliveries_overdue_seconds')).toBe(false);
    expect(alone.get('selvage_disk_free_bytes{disk="data"}')).toBeGreaterThan(0);
  });
});
