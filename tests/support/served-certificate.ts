import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect } from 'node:tls';

/**
 * The fingerprint of the certificate that an SMTP port presents. The handshake names a server, as
 * those of real peers do.
 */
export async function servedCertificate(port: number, { startTls }: { startTls: boolean }): Promise<string> {
  const plain = connectPlain(port, '127.0.0.1');
  await once(plain, 'connect');
  if (startTls) await askForTls(plain);
  const secure = connect({ socket: plain, servername: 'host.test', rejectUnauthorized: false });
  await once(secure, 'secureConnect');
  const { fingerprint256 } = secure.getPeerCertificate();
  secure.destroy();
  return fingerprint256;
}

async function askForTls(socket: Socket): Promise<void> {
  await once(socket, 'data');
  for (const line of ['EHLO a.test', 'STARTTLS']) {
    socket.write(`${line}\r\n`);
    await once(socket, 'data');
  }
}
