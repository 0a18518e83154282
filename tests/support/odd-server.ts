import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterAll } from 'vitest';

/** A server of plain sockets, for behaviour that a correct mail server never shows. */
export async function startOddServer(
  port: number,
  address: string,
  onConnection: (socket: Socket, count: number) => void,
): Promise<void> {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    count += 1;
    onConnection(socket, count);
  });
  server.listen(port, address);
  await once(server, 'listening');
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
}

/** The reply of a server to each command. A command that is not listed gets no reply. */
type Words = Record<string, string>;
/** Called at each piece of the message, with the message so far. */
type Listener = (socket: Socket, message: string) => void;

/** Replies when the message is complete. Returns whether it is. */
export function takeMessage(socket: Socket, message: string): boolean {
  const isComplete = message.endsWith('\r\n.\r\n');
  if (isComplete) socket.write('250 2.0.0 taken\r\n');
  return isComplete;
}

/** Sends a greeting, replies to each line by its first word, and reads the message. */
export function speak(socket: Socket, words: Words, onMessage: Listener = takeMessage): void {
  let isMessage = false;
  let text = '';
  socket.write('220 mx.odd.test\r\n');
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    if (isMessage) return onMessage(socket, text);
    for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
      const word = text.slice(0, end).split(/[ :]/)[0]?.toUpperCase() ?? '';
      text = text.slice(end + 2);
      const answer = words[word];
      isMessage = answer?.startsWith('354') === true;
      if (answer) socket.write(`${answer}\r\n`);
    }
  });
}
