import { type IncomingMessage, request as requestPlainly } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { isIP } from 'node:net';
import { findReachableAddresses, lookUpAs, type Reach } from './reachable-addresses.ts';

/** A request to a URL that a stranger has written. */
export interface StrangersRequest extends Reach {
  url: string;
  /** Aborts all of the request: look-ups, connections, handshakes, redirects and the body. */
  signal: AbortSignal;
  /** Whether plain HTTP is allowed. */
  mayBePlain: boolean;
  /** How many redirects are followed. Each target is checked as the first URL is. */
  redirects: number;
  headers: Record<string, string>;
  /** The form to POST; without it, the request is a GET. */
  form?: string;
}

const moved = new Set([301, 302, 303, 307, 308]);

/**
 * Requests a URL that a stranger has written, without telling the server anything of the reader for
 * whom the host asks: no cookie, no referrer, no address of the reader. Unless `mayBePrivate`, it
 * connects only to public addresses, on the standard ports. It connects only to the addresses that
 * were checked. The caller reads the response, or destroys it.
 * @throws Error that says what went wrong
 */
export async function askStranger(asked: StrangersRequest): Promise<IncomingMessage> {
  let url = asked.url;
  for (let left = asked.redirects; ; left--) {
    const target = judgeUrl(url, asked);
    const answer = await askOnce(target, asked);
    if (!moved.has(answer.statusCode ?? 0)) return answer;
    answer.destroy();
    const { location } = answer.headers;
    if (left === 0 || location === undefined || !URL.canParse(location, target.href))
      throw new Error('too many redirects');
    url = new URL(location, target).href;
  }
}

function judgeUrl(text: string, { mayBePlain, mayBePrivate }: StrangersRequest): URL {
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(mayBePlain && url.protocol === 'http:'))
    throw new Error('not an address of the web');
  // The URL parser leaves out the port that belongs to the protocol
  if (url.port !== '' && !mayBePrivate) throw new Error('not a port of the web');
  if (url.username !== '' || url.password !== '') throw new Error('the address has a password');
  return url;
}

async function askOnce(url: URL, asked: StrangersRequest): Promise<IncomingMessage> {
  const { signal, headers, form } = asked;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const late = () => new Error('the server took too long');
  // Look-ups have time limits of their own, but longer ones
  const addresses = await endedBy(signal, findReachableAddresses(host, asked));
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const isPlain = url.protocol === 'http:';
  const request = (isPlain ? requestPlainly : requestSecurely)({
    host,
    port: url.port || (isPlain ? 80 : 443),
    path: `${url.pathname}${url.search}`,
    method: form === undefined ? 'GET' : 'POST',
    headers: {
      ...headers,
      host: url.host,
      'user-agent': 'Mozilla/5.0 (compatible; Selvage)',
      'accept-encoding': 'identity',
      ...(form !== undefined && {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': String(Buffer.byteLength(form)),
      }),
    },
    ...(isIP(host) === 0 && !isPlain && { servername: host }),
    lookup: lookUpAs(addresses),
    // A connection of its own, and a limit for headers that every honest server keeps
    agent: false,
    maxHeaderSize: 16_384,
    signal,
  });
  request.on('error', (error) => reject(signal.aborted ? late() : error));
  request.on('response', resolve);
  // A server that switches protocols (101) gets no error and no response, and ends the request
  request.on('close', () => reject(new Error('the server closed the connection')));
  request.end(form);
  return await promise;
}

async function endedBy<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const end = () => aborted.reject(new Error('the server took too long'));
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
