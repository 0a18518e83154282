import type { User } from '@selvage/core/models/user';
import type { App } from '@selvage/core/context/app';
import type { MailLogin } from '@selvage/core/directory/mail-login';
import { log, withLogContext } from '@selvage/core/log';
import type { Certificate } from '@selvage/core/secrets/certificate';
import type { SMTPServerAddress, SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import type { RefusedMailLogins } from '@selvage/core/access/refused-mail-logins';
import type { DoorGuard } from '@selvage/core/access/door-guard';
import type { RefusalLedger } from '@selvage/core/ledger/refusal-ledger';
import type { EndReason } from '@selvage/core/access/guarded-connection';
import { commandTimeoutMs, lastReply, messageTimeoutMs } from '../door-limits.ts';
import { checkMailParameters, checkRcptParameters, type EsmtpParameters } from '../esmtp-parameters.ts';
import { noteEvent } from '../note-event.ts';
import type { Reply } from '../reply.ts';
import { toSmtpReply } from '../to-smtp-reply.ts';
import { withDeadline } from '@selvage/core/with-deadline';
import { SmtpFailure } from './failure.ts';
import { addressOfCommand } from '../address-of-command.ts';
import { GuardedSmtpServer, type NoteOwnRefusal } from './guarded-smtp-server.ts';
import { logIn } from './on-auth.ts';
import { noteRefused } from './note-refused.ts';
import { takeMessage } from './on-data.ts';
import { checkSender } from './on-mail-from.ts';
import { checkRecipient, completeRecipient } from './on-rcpt-to.ts';

/** What is found out about a message that is refused. */
type Found = { messageIdHeader: string | null };
type Answer<T> = (error: Error | null, result?: T) => void;

const loginFailed = {
  code: 454,
  enhancedCode: '4.7.0',
  text: 'Login is not possible at the moment, try again later',
};

/**
 * Creates the server to which mail programs submit. With `secure` it speaks TLS from the first
 * byte, otherwise it requires STARTTLS before AUTH.
 */
export function createSubmissionServer(
  app: App,
  options: {
    secure: boolean;
    certificate: Certificate;
    guard: DoorGuard;
    refusals: RefusalLedger;
    refusedLogins: RefusedMailLogins;
  },
): GuardedSmtpServer {
  const { config } = app;
  const noteOwn: NoteOwnRefusal = (session, { command, code, text }) => {
    const own = code < 500 ? 'internal_error' : 'malformed_message';
    const reason = code === 530 ? 'login_required' : own;
    const reply: Reply = { code, enhancedCode: '', text, reason };
    logRefusal('command refused', reply);
    noteRefused(options.refusals, session, { reply, recipients: addressIn(command) });
  };
  const server: GuardedSmtpServer = new GuardedSmtpServer(options.guard, noteOwn, {
    ...options.certificate,
    secure: options.secure,
    minVersion: 'TLSv1.2',
    name: config.hostname,
    banner: 'Selvage submission',
    authMethods: ['PLAIN', 'LOGIN'],
    size: config.maxMessageBytes,
    // The reply texts of Selvage already begin with their enhanced codes
    hideENHANCEDSTATUSCODES: true,
    disableReverseLookup: true,
    logger: false,
    socketTimeout: 5 * 60_000,
    closeTimeout: 10_000,
    ...handlers(app, options, (session, user) => server.noteLogin(session, user)),
  });
  server.on('error', (error) => log.info('connection broken off by the peer', { reason: error.message }));
  return server;
}

/**
 * The recipient that a malformed RCPT command names, as far as it can be parsed; none for another
 * command.
 */
function addressIn(command: string): string[] {
  return /^rcpt/i.test(command) ? [addressOfCommand(command)] : [];
}

function handlers(
  app: App,
  { refusals, refusedLogins }: { refusals: RefusalLedger; refusedLogins: RefusedMailLogins },
  noteLogin: (session: SMTPServerSession, user: User) => EndReason | null,
): SMTPServerOptions {
  return {
    onAuth: ({ username = '', password }, session, callback) =>
      // A login ends by a limit of its own, see `answerLogin`
      run(session, { timeoutMs: commandTimeoutMs + 1000, refused: 'login refused', answer: callback }, async () => {
        const credentials = {
          username,
          password: password ?? '',
          address: session.remoteAddress,
          sessionId: session.id,
        };
        const login = await answerLogin(app, credentials, refusedLogins);
        const tooMany = noteLogin(session, login.user);
        if (tooMany) throw new SmtpFailure(lastReply(tooMany));
        return { user: login };
      }),
    onMailFrom: ({ address, args }, session, callback) => {
      const answer = noting(refusals, session, { recipients: [], callback });
      run(session, { timeoutMs: commandTimeoutMs, refused: 'sender refused', answer }, async () => {
        const offer = { maxBytes: app.config.maxMessageBytes, hasAuth: true };
        const parameters = checkMailParameters(parametersOf(args), offer);
        const reply = parameters ?? (await checkSender(app, address, loginOf(session)));
        if (reply) throw new SmtpFailure(reply);
      });
    },
    onRcptTo: ({ address: given, args }, session, callback) => {
      const address = completeRecipient(given, loginOf(session).user.email);
      const taken = session.envelope.rcptTo.length;
      const reply = checkRcptParameters(parametersOf(args)) ?? checkRecipient(address, taken, app.config.maxRecipients);
      if (!reply) return callback(null);
      logRefusal('recipient refused', reply);
      noteRefused(refusals, session, { reply, recipients: [address] });
      callback(new SmtpFailure(reply));
    },
    onData: (stream, session, callback) => {
      const sender = loginOf(session).user.email;
      const recipients = session.envelope.rcptTo.map(({ address }) => completeRecipient(address, sender));
      const known = { messageIdHeader: null };
      const answer = noting(refusals, session, { recipients, callback, known });
      // The limit runs from DATA on, so after a quick transfer the guard of the door ends a
      // connection that waits too long for its answer
      const timeoutMs = app.config.transferSeconds * 1000 + messageTimeoutMs;
      run(session, { timeoutMs, refused: 'message refused', answer }, async () => {
        const { id: sessionId, remoteAddress: address } = session;
        const login = loginOf(session);
        const mailId = await takeMessage(app, { login, recipients, stream, sessionId, address, known });
        return `2.0.0 Queued as ${mailId}`;
      });
    },
  };
}

/** Wraps the callback of a command, so that a refusal is also noted for the ledger. */
function noting<T>(
  refusals: RefusalLedger,
  session: SMTPServerSession,
  { recipients, callback, known }: { recipients: readonly string[]; callback: Answer<T>; known?: Found },
): Answer<T> {
  return (error, result) => {
    if (error instanceof SmtpFailure) noteRefused(refusals, session, { reply: error.reply, recipients, ...known });
    callback(error, result);
  };
}

/** smtp-server gives `true` for a parameter without a value, and `false` for no parameters. */
function parametersOf(given: SMTPServerAddress['args']): EsmtpParameters {
  const named = Object.entries(given || {});
  return Object.fromEntries(named.map(([name, value]) => [name, typeof value === 'string' ? value : null]));
}

async function answerLogin(
  app: App,
  credentials: Parameters<typeof logIn>[1],
  refusedLogins: RefusedMailLogins,
): Promise<MailLogin> {
  let result: Awaited<ReturnType<typeof logIn>>;
  try {
    result = await withDeadline(logIn(app, credentials, refusedLogins), commandTimeoutMs);
  } catch (error) {
    // RFC 4954 6: mail programs don't take this temporary reply for a wrong password
    throw new SmtpFailure({ ...toSmtpReply(error), ...loginFailed });
  }
  if ('refuse' in result) throw new SmtpFailure(result.refuse);
  return result;
}

/**
 * Runs one command and answers exactly once. A refusal is written to log and metrics here, with
 * `refused` as its message.
 */
function run<T>(
  session: SMTPServerSession,
  { timeoutMs, refused, answer }: { timeoutMs: number; refused: string; answer: Answer<T> },
  command: () => Promise<T>,
): void {
  withLogContext({ sessionId: session.id, address: session.remoteAddress }, () => {
    withDeadline(command(), timeoutMs).then(
      (result) => answer(null, result),
      (error: unknown) => {
        const failure = error instanceof SmtpFailure ? error : new SmtpFailure(toSmtpReply(error));
        logRefusal(refused, failure.reply);
        answer(failure);
      },
    );
  });
}

function logRefusal(message: string, reply: Reply): void {
  noteEvent(message, reply, { door: 'submission' });
}

/**
 * The login of the session. smtp-server calls no handler that needs it before the client has logged
 * in.
 */
function loginOf(session: SMTPServerSession): MailLogin {
  return session.user as MailLogin;
}
