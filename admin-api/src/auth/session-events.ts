import { EventEmitter } from 'node:events';

/** Tells those who hold connections open that a session has ended. */
export class SessionEvents extends EventEmitter<{ ended: [sessionKeys: string[]] }> {}
