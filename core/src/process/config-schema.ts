import { hostname } from 'node:os';
import { z } from 'zod';
import { mostSessions } from '../contracts/auth.ts';
import {
  decimal,
  flag,
  hostName,
  isDnsServer,
  loginUrlOf,
  port,
  portNumber,
  processes,
  urlOf,
  whole,
  wordList,
} from './config-values.ts';

/** 30 days. A sender who hears nothing for longer believes that the message has arrived. */
const longestPauseSeconds = 2_592_000;

const defaultRetrySchedule = '60,300,900,1800,3600,7200,14400,28800,43200,86400,86400,86400,86400';

/**
 * Every environment variable that sets up the processes of Selvage, each with its meaning. An empty
 * value counts as absent.
 */
export const configSchema = z.object({
  SELVAGE_DATA: z
    .string()
    .default('./var')
    .describe('Directory of the blobs, the generated secrets and the private engines of the native start.'),
  SELVAGE_HOSTNAME: hostName
    .default(() => fallbackHostname())
    .describe("Name in EHLO and Received, and the MX that tenants point to; the machine's name unless set."),
  SELVAGE_URL: urlOf(['http:', 'https:'], 'https://mail.example.com')
    .optional()
    .describe('Where people reach the console; http://localhost:<HTTP_PORT> unless set.'),
  SELVAGE_ADMIN_EMAIL: z
    .email('must be an email address')
    .optional()
    .describe('Address of the first Super Admin; admin@<hostname> unless set.'),
  SELVAGE_ADMIN_PASSWORD: z
    .string()
    .min(8, 'must have at least 8 characters')
    .max(200, 'must have at most 200 characters')
    .optional()
    .describe('Password of the first Super Admin (or _FILE); generated and printed once unless set.'),
  SELVAGE_SECRET_KEY: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
    .optional()
    .describe('Key that seals secrets at rest (or _FILE); generated under SELVAGE_DATA/secrets unless set.'),
  PUBLIC_SITE: z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .default('on')
    .describe('Whether people who are not logged in see a public site at `/`; off, it leads to the login page.'),
  SITE_DIRECTORY: z
    .string()
    .optional()
    .describe(
      'Folder of your own public site; <SELVAGE_DATA>/site unless set, and where there is none, the shipped one.',
    ),
  HTTP_PORT: port(8080, 'Port of the console, the webmail and the API.'),
  SMTP_PORT: port(2525, 'Port where the world delivers mail.'),
  SUBMISSION_PORT: port(2587, 'Port where mail programs submit with STARTTLS.'),
  SUBMISSIONS_PORT: port(2465, 'Port where mail programs submit with TLS from the first byte.'),
  PUBLIC_SUBMISSION_PORT: portNumber
    .optional()
    .describe('Where mail programs reach SUBMISSION_PORT from outside; the same unless set.'),
  PUBLIC_SUBMISSIONS_PORT: portNumber
    .optional()
    .describe('Where mail programs reach SUBMISSIONS_PORT from outside; the same unless set.'),
  INBOUND_HEALTH_PORT: port(8081, 'Port of health and metrics of the inbound door.'),
  SUBMISSION_HEALTH_PORT: port(8082, 'Port of health and metrics of the submission door.'),
  WORKERS_HEALTH_PORT: port(8083, 'Port of health and metrics of the workers.'),
  PROCESSES_INBOUND: processes('Processes of the inbound door.'),
  PROCESSES_SUBMISSION: processes('Processes of the submission doors.'),
  PROCESSES_WORKERS: processes('Processes of the workers.'),
  PROCESSES_API: processes('Processes of the console, the webmail and the API.'),
  PRIMARY_PROCESS: flag(
    false,
    'A program of one process has a primary as well, so that a restart closes no port. The image sets it; under ./ops/up the supervisor is the primary.',
  ),
  BIND_ADDRESS: z
    .union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' })
    .default('127.0.0.1')
    .describe('Address that every door listens on.'),
  HTTP_ADDRESS: z
    .union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' })
    .optional()
    .describe('Address that the HTTP port listens on, where a proxy alone may reach it; BIND_ADDRESS unless set.'),
  HEALTH_ADDRESS: z
    .union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' })
    .default('127.0.0.1')
    .describe('Address that the health and metrics ports of the mail doors and the workers listen on.'),
  DATABASE_URL: loginUrlOf(['mysql:', 'mariadb:'], 'mysql://user:password@host:3306/database')
    .optional()
    .describe(
      'The database (or _FILE); the private one under SELVAGE_DATA unless set. `?socket=/path` for a unix socket.',
    ),
  DATABASE_POOL: whole(10, 2, 200, 'Maximum number of database connections that one process holds.'),
  DATABASE_TIMEOUT_SECONDS: whole(30, 1, 3600, 'How long the database may take for one statement, schema steps apart.'),
  REDIS_URL: loginUrlOf(['redis:', 'rediss:', 'unix:'], 'redis://host:6379/0 or unix:///path/redis.sock?db=0')
    .optional()
    .describe('Redis or Valkey (or _FILE); the private one under SELVAGE_DATA unless set.'),
  BLOB_STORE: z
    .string()
    .refine((value) => !value.startsWith('s3:'), { error: 's3 stores are not supported yet; use file:/path' })
    .refine((value) => value.startsWith('s3:') || /^file:.+/.test(value), { error: 'must look like file:/path' })
    .optional()
    .describe('Where raw messages are kept; file:<SELVAGE_DATA>/blobs unless set.'),
  DNS_SERVERS: z
    .string()
    .default('')
    .transform(wordList)
    .refine((servers) => servers.every(isDnsServer), {
      error: 'must be addresses with an optional port, separated by commas',
    })
    .describe("Resolvers of every look-up, e.g. 127.0.0.1:5353; the system's unless set."),
  DNS_BLOCKLISTS: z
    .string()
    .default('')
    .transform((text) => wordList(text.toLowerCase()))
    .refine((zones) => zones.every((zone) => /^[a-z0-9.-]{1,200}$/.test(zone)), {
      error: 'must be names of zones, separated by commas',
    })
    .describe('Zones of blocklists that the check of a domain asks about mail servers, if their terms allow it.'),
  DNS_VALIDATES: flag(
    false,
    'The name servers validate DNSSEC and no attacker is on the way to them, as with a resolver on this machine: DANE is obeyed.',
  ),
  MTA_STS_MODE: z
    .enum(['enforce', 'testing', 'none'], { error: 'must be enforce, testing or none' })
    .default('testing')
    .describe(
      'What MTA-STS asks of other servers. `enforce` only with a certificate for SELVAGE_HOSTNAME that they can check.',
    ),
  POSTAL_CODE_URL: urlOf(['https:', 'http:'], 'https://host/path/')
    .default('https://api.postalpincode.in/pincode/')
    .describe(
      'URL that looks up an Indian postal code, which is appended. If it cannot be reached, people type the place.',
    ),
  OUTBOUND_SMTP_PORT: port(25, 'Port of remote mail servers.'),
  MTA_STS_PORT: port(443, 'Port of the HTTPS servers that serve the MTA-STS policies of other domains.'),
  OUTBOUND_RELAY: loginUrlOf(['smtp:', 'smtps:'], 'smtp://user:password@host:587')
    .optional()
    .describe('A smarthost for everything that leaves (or _FILE).'),
  OUTBOUND_RELAY_SPF: z
    .string()
    .regex(/^(?:include|a|mx|ip4|ip6|exists):[\x21-\x7e]{1,200}$/, { error: 'must be like include:spf.example.com' })
    .optional()
    .describe('What the SPF record of a domain needs so that the smarthost may send, as its operator says.'),
  OUTBOUND_PER_DOMAIN: whole(
    10,
    1,
    1000,
    'Maximum number of transfers to one domain at a time, over all worker processes.',
  ),
  OUTBOUND_CONCURRENCY: whole(
    20,
    1,
    1000,
    'Maximum number of transfers of one worker process to other hosts at a time. There may be half as many to mailboxes of this host.',
  ),
  OUTBOUND_ALLOW_PRIVATE: flag(
    false,
    'Deliver to mail hosts whose address is private, as on an isolated network; OUTBOUND_RELAY may be private anyway.',
  ),
  REMOTE_CONTENT_ALLOW_PRIVATE: flag(
    false,
    'Fetch pictures of messages from private addresses and any port too, as on an isolated network.',
  ),
  OUTBOUND_TIMEOUT_SECONDS: whole(
    60,
    1,
    600,
    'How long a remote mail server may take for one reply; five times as long at later attempts.',
  ),
  OUTBOUND_JUDGEMENT_SECONDS: whole(
    600,
    1,
    3600,
    'How long a remote mail server may take to answer once it has the whole message. If the host stops waiting, it sends the message again (RFC 5321 4.5.3.2.6).',
  ),
  SESSION_LIMIT: whole(5, 1, mostSessions, 'Sessions a person may have at once.'),
  MAX_MESSAGE_BYTES: whole(36_700_160, 65_536, 268_435_456, 'Largest raw message, which is about 25 MiB of files.'),
  MAX_HEADER_BYTES: whole(262_144, 16_384, 1_048_576, 'Largest header of a message; more is refused while it arrives.'),
  MAX_HEADER_LINES: whole(4000, 100, 20_000, 'Maximum number of lines of a header.'),
  MAX_HEADER_FIELDS: whole(1000, 50, 10_000, 'Maximum number of fields of a header.'),
  MAX_HEADER_FIELD_BYTES: whole(102_400, 4096, 1_048_576, 'Longest field of a header with its continuation lines.'),
  CONTENT_THREADS: whole(2, 1, 64, 'Maximum number of threads of one process that read large or odd messages.'),
  SEARCH_DIRECTORY: z
    .string()
    .optional()
    .describe('Where the search indexes are kept, on a local disk; <SELVAGE_DATA>/search unless set.'),
  SEARCH_THREADS: whole(
    2,
    1,
    64,
    'Maximum number of threads of one process that search mailboxes, and of processes that answer their questions.',
  ),
  CONTENT_CPU_SECONDS: whole(5, 1, 300, 'Processor time that reading one message may take; then its thread is ended.'),
  CONTENT_MEMORY_MB: whole(384, 64, 8192, 'Memory that reading one message may take, beside its own bytes.'),
  WATCHDOG_SECONDS: whole(15, 2, 600, 'A process whose event loop stands still for so long is killed and restarted.'),
  MAILBOX_BYTES: whole(
    0,
    0,
    1_125_899_906_842_624,
    'Maximum number of bytes in a mailbox for which neither an administrator nor the company has set a limit; 0 is no limit.',
  ),
  MAX_RECIPIENTS: whole(
    100,
    1,
    10_000,
    'Maximum number of recipients of one message. The webmail takes 100 in each of To, Cc and Bcc at most. A person may write to 500 in an hour, or to this many if that is more.',
  ),
  UNDO_MS: whole(3500, 0, 60_000, 'How long a message sent from the webmail can be taken back.'),
  RETRY_SCHEDULE: z
    .string()
    .default(defaultRetrySchedule)
    .transform((value) => wordList(value).map(Number))
    .refine((steps) => steps.length > 0 && steps.every((step) => step >= 0 && step <= longestPauseSeconds), {
      error: `must be seconds separated by commas, each at most ${longestPauseSeconds} (30 days)`,
    })
    // RFC 5321 4.5.4.1: give up after 4 to 5 days.
    .describe(
      'Seconds to wait after each failed delivery attempt, at most; up to a tenth less, so that messages part. The sender is told when the list ends.',
    ),
  DELAY_REPORT_AFTER: whole(14_400, 0, 604_800, 'Seconds after which the sender is told once that delivery is late.'),
  SWEEP_SECONDS: decimal(15, 0.1, 3600, 'Seconds between two searches for due work that was not announced.'),
  BLOB_SWEEP_HOURS: decimal(
    24,
    0.0001,
    8760,
    'Hours within which all stored bytes are compared with the rows that refer to them.',
  ),
  BLOB_ORPHAN_HOURS: decimal(24, 0, 8760, 'How old bytes must be that no row refers to, before they are removed.'),
  BLOB_CHECK_DAYS: whole(30, 0, 3650, 'Days within which all stored bytes are read and checked; 0 is never.'),
  LEDGER_DAYS: whole(400, 0, 36_500, 'How long the ledger keeps deliveries that have ended; 0 is for ever.'),
  AUDIT_DAYS: whole(400, 0, 36_500, 'How long the audit trail and the histories of domains are kept; 0 is for ever.'),
  SESSION_DAYS: whole(30, 0, 36_500, 'How long sessions and mailed links are kept after their end; 0 is for ever.'),
  ARCHIVE_DIRECTORY: z
    .string()
    .optional()
    .describe('Where archives of companies are kept until they are downloaded; <SELVAGE_DATA>/archives unless set.'),
  ARCHIVE_DAYS: whole(7, 1, 365, 'How many days an archive of a company is kept before its file is removed.'),
  ARCHIVE_SPARE_BYTES: whole(
    5_368_709_120,
    0,
    1_125_899_906_842_624,
    'Free space that archives must leave on their disk; an archive that would leave less is not made.',
  ),
  JUNK_DAYS: whole(30, 0, 36_500, 'How long mail stays in Junk before it is deleted for good; 0 is for ever.'),
  SMTP_CONNECTIONS_PER_ADDRESS: whole(
    50,
    1,
    100_000,
    'Maximum number of connections of one IPv4 address or IPv6 /64 to a mail door at a time, and of one account that is logged in.',
  ),
  SMTP_CONNECTIONS_PER_NETWORK: whole(
    200,
    1,
    100_000,
    'Maximum number of connections of one IPv4 /24 or IPv6 /48 to a mail door at a time; those that are logged in count by account.',
  ),
  SMTP_CONNECTIONS: whole(
    1000,
    1,
    100_000,
    'Maximum number of connections to each mail door; when they are used up, the network with the most gives way.',
  ),
  SMTP_RATE_PER_MINUTE_PER_ADDRESS: whole(
    600,
    0,
    1_000_000,
    'Maximum number of messages a minute from one IPv4 address or IPv6 /64; 0 is no limit.',
  ),
  HTTP_CONNECTIONS_PER_ADDRESS: whole(
    500,
    1,
    100_000,
    'Maximum number of HTTP connections of one IPv4 address or IPv6 /64 at a time; behind a trusted proxy, requests under way.',
  ),
  HTTP_CONNECTIONS_PER_NETWORK: whole(
    2000,
    1,
    100_000,
    'Maximum number of HTTP connections of one IPv4 /24 or IPv6 /48 at a time; behind a trusted proxy, requests under way.',
  ),
  HTTP_CONNECTIONS: whole(
    4000,
    1,
    100_000,
    'Maximum number of HTTP connections; when they are used up, the network with the most gives way.',
  ),
  TLS_HANDSHAKE_SECONDS: whole(10, 1, 600, 'How long a TLS handshake with a mail door may take.'),
  FIRST_COMMAND_SECONDS: whole(
    15,
    1,
    600,
    'How long a new connection may say nothing: no EHLO to a mail door, no request to the HTTP port.',
  ),
  LOGIN_SECONDS: whole(60, 1, 3600, 'How long a mail program may be connected before it logs in.'),
  TRANSFER_SECONDS: whole(1800, 1, 86_400, 'How long one message, or one upload to the API, may take to arrive.'),
  TRANSFER_BYTES_PER_SECOND: whole(
    1024,
    0,
    1_000_000,
    'Least speed at which a message or an upload arrives, over half a minute; slower ones are ended. 0 is no limit.',
  ),
  MESSAGE_MEMORY_BYTES: whole(
    268_435_456,
    67_108_864,
    1_099_511_627_776,
    'Maximum bytes of messages that one process holds in memory; beyond that, senders and people have to try again.',
  ),
  REQUEST_TIMEOUT_SECONDS: whole(
    30,
    1,
    600,
    'Seconds that an API call may take to arrive (uploads excluded), and again to be processed.',
  ),
  TRUSTED_PROXIES: whole(0, 0, 10, 'How many reverse proxies stand before the HTTP port and add X-Forwarded-For.'),
  STORED_ENVIRONMENT: flag(
    true,
    'Whether the variables of the list in the account settings count. With false the host starts without them.',
  ),
  ACCEPT_NEW_KEY: flag(
    false,
    'For one start after the secret key was lost: the host takes a new one, and what the old one sealed is lost.',
  ),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], { error: 'must be debug, info, warn, error or silent' })
    .default('info')
    .describe('Least level that is logged.'),
});

/** The environment after validation. */
export type Environment = z.output<typeof configSchema>;

/** Variables that may be given as a file instead, by the name with `_FILE`. */
export const fileVariables = [
  'SELVAGE_ADMIN_PASSWORD',
  'SELVAGE_SECRET_KEY',
  'DATABASE_URL',
  'REDIS_URL',
  'OUTBOUND_RELAY',
] as const satisfies (keyof Environment)[];

/** Variables that only what starts the engines reads. */
export const engineVariables: readonly string[] = ['DATABASE_BUFFER_MB'];

function fallbackHostname(): string {
  const name = hostname().toLowerCase();
  return hostName.safeParse(name).success ? name : 'localhost';
}
