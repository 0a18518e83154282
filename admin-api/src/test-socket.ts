import { until } from '../../tests/support/until.ts';
import type { TestServer } from './test-server.ts';

/** A live connection of a session, in socket.io's own frames: `40` opens it. */
export async function openSocket({ url }: TestServer, token: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  let isWelcome = false;
  socket.addEventListener('open', () => socket.send(`40${JSON.stringify({ token })}`));
  socket.addEventListener('message', ({ data }) => {
    isWelcome ||= String(data).startsWith('40');
  });
  await until('the socket is open', () => isWelcome);
  return socket;
}
