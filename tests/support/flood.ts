import { connect, type Socket } from 'node:net';

/** Many connections of one address that say nothing. */
export class Flood {
  private readonly sockets: Socket[];

  private constructor(sockets: Socket[]) {
    this.sockets = sockets;
  }

  /** Opens them all from one loopback address; resolves when each is connected or was refused. */
  static async start(port: number, count: number, from: string): Promise<Flood> {
    const sockets = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', localAddress: from }));
    await Promise.all(
      sockets.map(
        (socket) =>
          new Promise<void>((resolve) => {
            // What the door says is read, so that its end is seen
            socket.resume();
            socket.once('connect', () => resolve());
            socket.once('error', () => resolve());
            socket.once('close', () => resolve());
          }),
      ),
    );
    return new Flood(sockets);
  }

  /** How many are still connected. */
  get open(): number {
    return this.sockets.filter((socket) => !socket.destroyed).length;
  }

  /** Sends bytes on each that is still open. */
  write(bytes: string | Buffer): void {
    for (const socket of this.sockets) if (!socket.destroyed) socket.write(bytes);
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}
