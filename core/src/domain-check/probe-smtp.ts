import { connect } from 'node:net';
import { oneLine } from '../mail/one-line.ts';

/** Where a mail server should answer. */
interface Server {
  address: string;
  port: number;
  /** What this host calls itself in EHLO. */
  clientName: string;
  /** At most three seconds. */
  timeoutMs?: number;
}

const mostMs = 3000;
const mostBytes = 4096;

/** Says whether a mail server greets at an address (RFC 5321 3.1), within three seconds. */
export function probeSmtp({
  address,
  port,
  clientName,
  timeoutMs = mostMs,
}: Server): Promise<{ success: boolean; details: string }> {
  const { promise, resolve } = Promise.withResolvers<{ success: boolean; details: string }>();
  const socket = connect({ host: address, port });
  const fail = (details: string): void => resolve({ success: false, details });
  const giveUp = setTimeout(() => fail('The mail server did not greet in time.'), Math.min(timeoutMs, mostMs));
  let received = '';
  socket.setEncoding('latin1');
  socket.on('error', () => fail(`No connection to port ${port} can be made.`));
  socket.on('close', () => fail('The mail server closed the connection without a greeting.'));
  const handleData = (text: string): void => {
    received += text;
    if (!received.includes('\n') && received.length < mostBytes) return;
    const greeting = oneLine(received.split('\n')[0] ?? '', 200);
    if (greeting.startsWith('220')) resolve({ success: true, details: greeting });
    else fail(`The mail server takes no mail now: ${greeting}`);
    // What else the server says is thrown away
    socket.off('data', handleData).resume();
    socket.end(`EHLO ${clientName}\r\nQUIT\r\n`);
  };
  socket.on('data', handleData);
  return promise.finally(() => {
    clearTimeout(giveUp);
    setTimeout(() => socket.destroy(), 500).unref();
  });
}
