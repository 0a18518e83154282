import { expect, it } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { systemContext } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';

/**
 * What an archive has of each table of a company and its people (D66). A restored company is what
 * its people had and wrote, without what opens an account, what the host has found out, and what is
 * under way.
 */
const decided: Record<string, 'in the archive' | `left out: ${string}`> = {
  address_groups: 'in the archive',
  addresses: 'in the archive',
  answer_reminders: 'in the archive',
  app_passwords: 'left out: opens an account',
  audit_events: 'left out: the trail belongs to the host on which it was left',
  blocked_senders: 'in the archive',
  clients: 'in the archive',
  company_archives: 'left out: the archives themselves',
  company_restores: 'left out: how far a restore has come',
  company_use: 'left out: a sum that is made anew',
  copied_entries: 'left out: mail of other people',
  correspondent_looks: 'left out: found anew in the mail',
  correspondent_words: 'left out: found anew in the mail',
  correspondents: 'left out: found anew in the mail',
  deliveries: 'left out: the ledger of another host; restored mail has new rows',
  dkim_keys: 'left out: a restored domain gets a new key',
  domain_changes: 'left out: what the host has found out',
  domain_records: 'in the archive',
  domains: 'in the archive',
  drafts: 'in the archive',
  entry_labels: 'in the archive',
  folders: 'in the archive',
  group_members: 'in the archive',
  growth_slots: 'left out: what the host has counted',
  idempotency_keys: 'left out: what is under way',
  image_senders: 'in the archive',
  invitation_answers: 'left out: what was answered stands in the mail',
  labels: 'in the archive',
  mail_copies: 'left out: mail of other people',
  mail_filters: 'in the archive',
  mailbox_entries: 'in the archive',
  one_time_links: 'left out: opens an account',
  passkeys: 'left out: opens an account',
  recovery_codes: 'left out: opens an account',
  role_permissions: 'in the archive',
  roles: 'in the archive',
  sessions: 'left out: opens an account',
  signatures: 'in the archive',
  snoozes: 'in the archive',
  user_permissions: 'in the archive',
  users: 'in the archive',
  vacation_replies: 'left out: what is under way',
  vacations: 'in the archive',
};

it('each table of companies and people is in the archive, or left out for a reason that stands here', async () => {
  const tables = await readRows<{ name: string }>(
    systemContext(await testApp()),
    `SELECT DISTINCT table_name AS name FROM information_schema.columns
      WHERE table_schema = DATABASE() AND column_name IN (?) ORDER BY table_name`,
    [['company_id', 'user_id', 'entry_id']],
  );
  const found = tables.map(({ name }) => name).toSorted();
  expect(found, 'say of each table in `decided` what becomes of it').toEqual(Object.keys(decided).toSorted());
});
