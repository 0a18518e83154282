import { EventEmitter } from 'node:events';

/** Tells the websocket server of this process that a session has ended. */
export class SessionEvents extends EventEmitter<{ ended: [sessionKeys: string[]] }> {}
