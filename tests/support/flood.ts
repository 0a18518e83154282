import { connect, type Socket } from 'node:net';

/** Many connections from one address that send nothing. */
export class Flood {
  private readonly sockets: Socket[];

  private constructor(sockets: Socket[]) {
    this.sockets = sockets;
  }

  /**
   * Opens all connections from one loopback address. Resolves when each is connected or was
   * refused.
   */
  static async start(port: number, count: number, from: string): Promise<Flood> {
    const sockets = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', localAddress: from }));
    await Promise.all(
      sockets.map(
        (socket) =>
          new Promise<void>((resolve) => {
            // Reads what the server sends, so that the end of the connection is noticed
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

  /** Sends bytes on each connection that is still open. */
  write(bytes: string | Buffer): void {
    for (const socket of this.sockets) if (!socket.destroyed) socket.write(bytes);
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}
