import type { Socket } from 'node:net';
import { type ConnectionOptions, TLSSocket } from 'node:tls';
import { checkNames } from '@selvage/core/dns/fetch-sts-policy';
import type { ReachedTls } from '@selvage/core/outbound/deliveries';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SmtpClientError } from './outcome.ts';
import { type DaneProof, daneProblem } from './prove-dane.ts';

/** Where to connect and how long to wait. */
export interface SessionOptions {
  /** The address to connect to. */
  address: string;
  port: number;
  /** The server's name: for SNI, the ledger and the log. */
  serverName: string;
  /** The name of this host in EHLO. */
  clientName: string;
  timeouts: SmtpTimeouts;
  /**
   * How TLS is used: when offered, never (a handshake has just failed), always, or from the first
   * byte.
   */
  tls: 'opportunistic' | 'none' | 'required' | 'implicit';
  /**
   * What the domain demands of the server's certificate (D37); goes with `tls: 'required'`. Without
   * it, required and implicit TLS demand a certificate that is valid for the server's name.
   */
  proof?: Proof;
  credentials?: { user: string; password: string };
}

/** What a domain demands of a server's certificate. `nothing`: TLS, but no proof (RFC 7672 2.2). */
export type Proof = { by: 'mta_sts' } | DaneProof | { by: 'nothing' };

/**
 * Timeouts in milliseconds. RFC 5321 4.5.3.2 advises minutes. A busy queue needs shorter ones,
 * except for `judgement`, and for `greeting` and `silence` when an earlier attempt has failed.
 */
export interface SmtpTimeouts {
  /** Until the TCP connection is established. */
  connect: number;
  /** From the TCP connection to the greeting, and the same again for the TLS handshake. */
  greeting: number;
  /** Silence of the server at any later moment. */
  silence: number;
  /**
   * From the end of the message to the server's answer. A server that filters mail may take
   * minutes. When this host gives up earlier, the server may have the message and gets it again
   * (RFC 5321 4.5.3.2.6).
   */
  judgement: number;
  /**
   * The most for each of these: opening the session, one transaction up to the end of its message
   * (a larger one has more time), and RSET. So a server that answers a little at a time can't hold
   * a transfer for ever.
   */
  message: number;
}

/**
 * The most that nodemailer buffers of a reply. RFC 5321 4.5.3.1.5 allows 512 bytes a line, and
 * honest servers send a few lines.
 */
const longestReplyBytes = 65_536;

/** The session options in the form that nodemailer takes. */
export function connectionOptions(options: SessionOptions): SMTPConnection.Options {
  return {
    host: options.address,
    port: options.port,
    name: options.clientName,
    secure: options.tls === 'implicit',
    ignoreTLS: options.tls === 'none',
    requireTLS: options.tls === 'required',
    opportunisticTLS: options.tls === 'opportunistic',
    tls: tlsOptions(options),
    // The operator, or a look-up, may name hosts on loopback and private networks
    allowInternalNetworkInterfaces: true,
    // This timeout of nodemailer also limits the greeting and the handshake, and a shorter one
    // would cut them short
    connectionTimeout: options.timeouts.connect + 2 * options.timeouts.greeting,
    greetingTimeout: options.timeouts.greeting,
    // Applies until the session is open. With a shorter one, a late greeting would fail with an
    // error that does not name the greeting
    socketTimeout: Math.max(options.timeouts.silence, options.timeouts.greeting + 1000),
    socketCloseTimeout: 1000,
    maxResponseSize: longestReplyBytes,
    logger: false,
  };
}

function tlsOptions({ tls, proof, serverName }: SessionOptions): ConnectionOptions {
  // RFC 7672 8.1: a server with several certificates learns which one the records are about
  const servername = proof?.by === 'dane' ? proof.names[0] : serverName;
  // With opportunistic TLS the message may also go in the clear, so refusing an unproven
  // certificate would gain nothing. DANE demands a proof other than a certificate authority's
  const isForced = tls === 'required' || tls === 'implicit';
  const rejectUnauthorized = isForced && (!proof || proof.by === 'mta_sts');
  return { servername, rejectUnauthorized, ...(proof?.by === 'mta_sts' && { checkServerIdentity: checkNames }) };
}

/**
 * Returns how a session is protected, and checks the server's certificate where nodemailer could
 * not. Called before anything of a message is sent.
 * @param socket that of the session, once it has greeted
 * @throws SmtpClientError
 */
export function judgeTls(socket: Socket | false, options: SessionOptions): ReachedTls {
  const { tls, proof } = options;
  const isForced = tls === 'required' || tls === 'implicit';
  if (!(socket instanceof TLSSocket)) {
    if (isForced) throw tlsFailure('the connection is not encrypted');
    return { state: 'none', protocol: null };
  }
  const problem = proof?.by === 'dane' ? daneProblem(socket, proof) : null;
  if (problem !== null) throw tlsFailure(problem);
  const mustBeValid = tlsOptions(options).rejectUnauthorized === true;
  if (mustBeValid && !socket.authorized) throw tlsFailure('the certificate was not checked');
  const proved = proof ? (proof.by === 'nothing' ? 'encrypted' : proof.by) : 'relay';
  return { state: isForced ? proved : 'encrypted', protocol: socket.getProtocol()?.slice(0, 10) ?? null };
}

function tlsFailure(text: string): SmtpClientError {
  return Object.assign(new Error(text), { isTlsFailure: true });
}
