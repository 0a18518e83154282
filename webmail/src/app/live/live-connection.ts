import {
  type DeliveriesChangedEvent,
  type HelloEvent,
  type MailboxChangedEvent,
  type NewEmailEvent,
  realtimeEvents,
} from '@selvage/core/contracts/realtime';
import type { Socket } from 'socket.io-client';
import { isLive } from '../../lib/live.ts';
import { freshToken } from '../../lib/refresh.ts';
import { isLiveLost } from './live-state.ts';

/*
 * The life of the live connection of one person:
 *
 *   lost --connect, join--> live --the line is lost, the device slept--> lost ... --close--> over
 *
 * It begins lost. While it is lost, the mail is polled, and after a while the person is told. After
 * each join all shown data are fetched once, for what was missed in between. Closing it leaves
 * neither timer nor socket behind.
 */

/** The reactions of the app to the events of a live connection. */
export interface LiveHandlers {
  onNewMail: (event: NewEmailEvent) => void;
  onMailboxChanged: (event: MailboxChangedEvent) => void;
  onDeliveriesChanged: (event: DeliveriesChangedEvent) => void;
  onHello: (event: HelloEvent) => void;
  /** New mail is announced from now on. Earlier mail may have been missed. */
  onJoined: () => void;
  /** It is time to poll for new mail, since it is not announced. */
  onPoll: () => void;
  /** The server refused the connection or ended it. The next API call tells why. */
  onRefused: () => void;
}

type Auth = (give: (data: object) => void) => void;
/** Fetches the library and makes a socket that does not connect yet. */
type MakeSocket = (auth: Auth) => Promise<Socket>;

/** A connection that is back within this time is not reported. */
const TELL_AFTER_MS = 10_000;
const POLL_MS = 30_000;
/** The library reconnects by itself after a lost line, but not after a refusal by the server. */
const RETRY_MS = 15_000;
const LONGEST_RETRY_MS = 30_000;

async function makeSocket(auth: Auth): Promise<Socket> {
  const { io } = await import('socket.io-client');
  // Long polling needs each request to reach the same process of the server
  const transports = ['websocket'];
  return io({ path: '/socket.io', transports, auth, autoConnect: false, reconnectionDelayMax: LONGEST_RETRY_MS });
}

/** Gives each attempt to connect a fresh token. */
const giveToken: Auth = (give) => {
  freshToken().then(
    (token) => give({ token }),
    // Without a token the server refuses, and the next attempt asks again
    () => give({}),
  );
};

/**
 * The one live connection of a page. Its owner opens it for a person and closes it when that person
 * leaves.
 */
export class LiveConnection {
  readonly #email: string;
  readonly #handlers: LiveHandlers;
  readonly #make: MakeSocket;
  #socket: Socket | null = null;
  #isOver = false;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #tellTimer: ReturnType<typeof setTimeout> | undefined;
  #pollTimer: ReturnType<typeof setInterval> | undefined;

  constructor(email: string, handlers: LiveHandlers, make: MakeSocket = makeSocket) {
    this.#email = email;
    this.#handlers = handlers;
    this.#make = make;
    this.#beLost();
    this.#open();
  }

  /** Connects again: after a sleep the line may be dead although neither end has noticed it. */
  renew(): void {
    this.#socket?.disconnect().connect();
  }

  close(): void {
    this.#isOver = true;
    isLive.set(false);
    this.#stopTimers();
    this.#socket?.off().disconnect();
  }

  #open(): void {
    this.#make(giveToken).then(
      (socket) => !this.#isOver && this.#use(socket),
      // A library that cannot be fetched now may be fetched later
      () => this.#retryLater(() => this.#open()),
    );
  }

  #use(socket: Socket): void {
    this.#socket = socket;
    socket.on('connect', () => socket.emit(realtimeEvents.join, this.#email, () => this.#beLive()));
    socket.on(realtimeEvents.hello, this.#handlers.onHello);
    socket.on(realtimeEvents.newEmail, this.#handlers.onNewMail);
    socket.on(realtimeEvents.mailboxChanged, this.#handlers.onMailboxChanged);
    socket.on(realtimeEvents.deliveriesChanged, this.#handlers.onDeliveriesChanged);
    socket.on('connect_error', () => this.#afterRefusal());
    socket.on('disconnect', (reason) => {
      this.#beLost();
      if (reason !== 'io client disconnect') this.#afterRefusal();
    });
    socket.connect();
  }

  #beLive(): void {
    if (this.#isOver) return;
    this.#stopTimers();
    isLive.set(true);
    this.#handlers.onJoined();
  }

  #beLost(): void {
    if (this.#isOver || this.#pollTimer !== undefined) return;
    isLive.set(false);
    this.#tellTimer = setTimeout(() => isLiveLost.set(true), TELL_AFTER_MS);
    this.#pollTimer = setInterval(this.#handlers.onPoll, POLL_MS);
  }

  #afterRefusal(): void {
    if (this.#isOver || !this.#socket || this.#socket.active) return;
    this.#handlers.onRefused();
    this.#retryLater(() => this.#socket?.connect());
  }

  #retryLater(work: () => void): void {
    if (this.#isOver) return;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(work, RETRY_MS);
  }

  #stopTimers(): void {
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#tellTimer);
    clearInterval(this.#pollTimer);
    this.#retryTimer = undefined;
    this.#tellTimer = undefined;
    this.#pollTimer = undefined;
    isLiveLost.set(false);
  }
}
