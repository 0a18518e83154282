import { count, params, words } from '../lib/i18n.ts';

/** Texts of what an administrator looks for on the home page in the morning. */
export const morningWords = words('morning', {
  loading: 'Looking',
  retry: 'Retry',

  ledger: 'Every message accounted for',
  ledgerHint: 'Counted by recipients. Each day is proved the night after; days are in UTC.',
  addsUp: count({ one: 'The last day adds up', other: 'The last {count} days add up' }),
  doesNot: count({ one: '{count} day does not add up', other: '{count} days do not add up' }),
  dayAddsUp: 'Adds up',
  dayDoesNot: params('{count} not accounted for'),
  sum: params(
    '{accepted} accepted = {stored} stored + {relayed} delivered elsewhere + {bounced} not delivered + {held} held + {queued} waiting',
  ),
  day: 'Day',
  accepted: 'Accepted',
  result: 'Result',
  provedAt: params('Counted {when}.'),
  days: 'The last days',
  noDays: 'Nothing to prove yet. The first day with mail is proved the night after.',
  waitingDay: params('{day} has not been proved yet. That happens once the host’s workers are running.'),
  alarm: params('{day} does not add up'),
  todo: params(
    'What to do: run ./ops/ledger-check {day} on the host and follow these messages. The day is proved again each night.',
  ),
  mailIds: 'Mail ids:',
  message_without_rows: count({
    one: '{count} message has no record of what became of it. Look for its mail id in the log.',
    other: '{count} messages have no record of what became of them. Look for their mail ids in the log.',
  }),
  copies_without_rows: count({
    one: '{count} message is in more mailboxes than its records say.',
    other: '{count} messages are in more mailboxes than their records say.',
  }),
  recipients_without_rows: count({
    one: '{count} message has fewer records than the number of recipients that it was accepted for. Look for its mail id in the log.',
    other:
      '{count} messages have fewer records than the number of recipients that they were accepted for. Look for their mail ids in the log.',
  }),
  rows_without_recipients: count({
    one: '{count} message has more records than the number of recipients that it was accepted for. Look for its mail id in the log.',
    other:
      '{count} messages have more records than the number of recipients that they were accepted for. Look for their mail ids in the log.',
  }),
  unbalanced: count({
    one: '{count} record is in no known state.',
    other: '{count} records are in no known state.',
  }),
  row_without_copy: count({
    one: '{count} message is recorded as stored, but its copy is missing. Restore it from a backup of the host.',
    other:
      '{count} messages are recorded as stored, but their copies are missing. Restore them from a backup of the host.',
  }),
  repeated_rows: count({
    one: '{count} record is for a message that another record already accounts for.',
    other: '{count} records are for messages that other records already account for.',
  }),
  waits_for_ever: count({
    one: '{count} message waits, and no worker tries to send it. See whether the workers run, or release it after a restore.',
    other:
      '{count} messages wait, and no worker tries to send them. See whether the workers run, or release them after a restore.',
  }),
  waits_without_message: count({
    one: '{count} message waits to be sent, but its text is missing. Give it up in the queue, so that its sender hears of it.',
    other:
      '{count} messages wait to be sent, but their text is missing. Give them up in the queue, so that their senders hear of it.',
  }),
  no_reason: count({
    one: '{count} record does not say why it is as it is.',
    other: '{count} records do not say why they are as they are.',
  }),
  no_answer: count({
    one: '{count} message is recorded as delivered elsewhere, without the answer of the server that took it.',
    other: '{count} messages are recorded as delivered elsewhere, without the answers of the servers that took them.',
  }),

  domains: 'Domains',
  allDomains: 'DNS health of all domains',
  setUp: 'Set up',
  setUpOf: params('Set up {name}'),
  domainsGood: 'No domain has a problem.',
  domainsBroken: count({ one: '{count} is broken', other: '{count} are broken' }),
  domainsWeak: count({ one: '{count} could be better', other: '{count} could be better' }),
  noDomains: 'No domain yet: mail needs one.',
  addDomain: 'Add a domain',

  storage: 'Storage',
  used: params('{used} used'),
  company: 'Company',
  mailboxes: 'Fullest mailboxes',
  companies: 'Fullest companies',
  nothingStored: 'Nothing is stored yet.',
  nothingCounted: 'No company had stored mail when it was last counted, which is done each hour.',
  disk: 'Disk',
  free: params('{free} free of {total}'),
  diskLow: 'Almost full',

  signIns: 'Refused logins',
  refusedIn: count({ one: '{count} in the last 24 hours', other: '{count} in the last 24 hours' }),
  refusedMore: params('More than {count} in the last 24 hours'),
  noneRefused: 'None in the last 24 hours.',
  addresses: 'Most came from',
  inLog: 'See them in the audit log',

  host: 'This host',
  version: 'Version',
  since: 'Running since',
  processes: 'Processes',
  engines: 'Engines',
  queue: 'Outgoing mail',
  jobs: 'Background jobs',
  certificate: 'Certificate of the mail servers',
  allRun: params('Workers {workers}, inbound {inbound}, submission {submission}, web {api}'),
  notSeen: params('Not running: {names}'),
  workers: 'workers',
  inbound: 'inbound mail',
  submission: 'submission',
  api: 'web',
  redisAway: 'Redis does not answer',
  onTime: 'On time',
  late: params('{time} late'),
  validFor: count({ one: 'Valid for {count} more day', other: 'Valid for {count} more days' }),
  expired: 'Expired',
  selfSigned: 'Self-signed',
  noCertificate: 'None yet',
  backup: 'Last backup',
  noBackup: 'None known',
  oldBackup: params('{date}: too long ago'),
  minutes: count({ one: '{count} minute', other: '{count} minutes' }),
  hours: count({ one: '{count} hour', other: '{count} hours' }),
});
