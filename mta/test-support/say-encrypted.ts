import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { connect } from 'node:tls';

/** Begins TLS as `peer.remote.test`, says lines one after another, and hangs up. */
export async function sayEncrypted(
  from: { port: number; localAddress: string },
  lines: readonly string[],
): Promise<void> {
  const plain = connectPlain({ ...from, host: '127.0.0.1' });
  await once(plain, 'data');
  for (const line of ['EHLO peer.remote.test', 'STARTTLS']) {
    plain.write(`${line}\r\n`);
    await once(plain, 'data');
  }
  const secure = connect({ socket: plain, servername: 'host.test', rejectUnauthorized: false });
  await once(secure, 'secureConnect');
  for (const line of ['EHLO peer.remote.test', ...lines]) {
    secure.write(`${line}\r\n`);
    await once(secure, 'data');
  }
  secure.destroy();
}
