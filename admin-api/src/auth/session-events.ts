import { EventEmitter } from 'node:events';

/** Tells the websocket servers of all API processes that sessions have ended. */
export class SessionEvents extends EventEmitter<{ ended: [sessionKeys: string[]] }> {
  /** Closes the live connections of ended sessions; call it after the change is committed. */
  tellEnded(sessionKeys: string[]): void {
    if (sessionKeys.length > 0) this.emit('ended', sessionKeys);
  }
}
