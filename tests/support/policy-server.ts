import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createSecureContext, getCACertificates, type SecureContext, setDefaultCACertificates } from 'node:tls';
import { type KeyAndCertificate, makeCertificate } from './certificates.ts';

/**
 * Makes a certificate authority that this process trusts from now on, besides those that it trusts
 * already.
 */
export function trustedAuthority(): KeyAndCertificate {
  const authority = makeCertificate(`Authority ${randomUUID()}`, { isAuthority: true });
  setDefaultCACertificates([...getCACertificates('default'), authority.cert]);
  return authority;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A server of MTA-STS policies on loopback. */
export interface PolicyServer {
  port: number;
  /** The host name of each request, without the port. */
  asked: string[];
  /** The answer to each request. */
  answer: Answer;
  /** The certificate for a host name in the TLS handshake. */
  certificateFor: (host: string) => KeyAndCertificate;
  stop(): Promise<void>;
}

/** The text of a policy (RFC 8461 3.2). */
export function policyText(mode: string, ...mx: string[]): string {
  return ['version: STSv1', `mode: ${mode}`, ...mx.map((host) => `mx: ${host}`), 'max_age: 86400', ''].join('\r\n');
}

/** Answers with a text, in the content type of a policy. */
export function say(text: string, headers: Record<string, string> = {}, status = 200): Answer {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(text);
  };
}

/** Sends a little at a time and never ends, until `giveUp` is aborted. */
export function sayForEver(giveUp?: AbortSignal): Answer {
  return async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    for (; !response.destroyed; await wait(20)) {
      if (giveUp?.aborted) response.destroy();
      else response.write('#');
    }
  };
}

/** Starts a policy server. It has a certificate for every host, and no policy yet. */
export async function startPolicyServer(authority: KeyAndCertificate): Promise<PolicyServer> {
  const { key } = authority;
  const contexts = new Map<string, SecureContext>();
  const SNICallback = (host: string, done: (error: Error | null, context?: SecureContext) => void): void => {
    const context = contexts.get(host) ?? createSecureContext(policies.certificateFor(host));
    contexts.set(host, context);
    done(null, context);
  };
  const server = createServer({ SNICallback }, (request, response) => {
    policies.asked.push(hostOf(request));
    policies.answer(request, response);
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const policies: PolicyServer = {
    port: (server.address() as AddressInfo).port,
    asked: [],
    answer: say('', {}, 404),
    certificateFor: (host) => makeCertificate(host, { by: authority, key }),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return policies;
}

function hostOf({ headers: { host = '' } }: IncomingMessage): string {
  return host.replace(/:\d+$/, '');
}
