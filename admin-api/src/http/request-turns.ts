import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { blockOf, subscriberOf } from '@selvage/core/access/network-of';
import { FairLine } from '@selvage/core/fair-line';

/**
 * How many requests of one network (a block of addresses, as in `DoorGuard`) may begin in one pass
 * of the event loop. Requests of other networks wait for as long as such a pass takes.
 */
const mostOfPass = 8;
/**
 * How many requests of one network may run at once: more than the database and the disk can serve
 * at the same time.
 */
const mostInWork = 32;
/**
 * A request that takes longer than this many milliseconds waits for the database or for another
 * server. It no longer loads the event loop, so the next request of its network may begin.
 */
const longestMs = 500;

interface Network {
  key: string;
  inWork: number;
  /** How many of `inWork` have ended since the last pass of the event loop. */
  ended: number;
  begun: number;
  line: FairLine<() => void>;
}

/**
 * The place that a request takes among the running requests of its network. It takes the place
 * before anything else is done for it. It gives the place back when its answer begins, when it
 * waits for its body, when `WorkQueue` begins to order calls by person, and at the latest after
 * half a second.
 */
class Turn {
  readonly #turns: RequestTurns;
  readonly #address: string;
  #held: Network | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(turns: RequestTurns, address: string) {
    this.#turns = turns;
    this.#address = address;
  }

  take(start: () => void): void {
    if (this.#held) return start();
    this.#turns.begin(this.#address, (network) => {
      this.#held = network;
      this.#timer = setTimeout(() => this.end(), longestMs);
      this.#timer.unref();
      start();
    });
  }

  /** A second call does nothing. */
  end(): void {
    if (!this.#held) return;
    clearTimeout(this.#timer);
    this.#turns.end(this.#held);
    this.#held = null;
  }
}

/**
 * Begins requests at once, unless their network already has many in work. Then they wait, and the
 * addresses of the network take turns. A place becomes free only in the next pass of the event
 * loop. Otherwise requests that arrive together and are refused at once would all run in one pass.
 */
class RequestTurns {
  readonly #networks = new Map<string, Network>();
  readonly #touched = new Set<Network>();

  begin(address: string, start: (network: Network) => void): void {
    const network = this.#networkOf(address);
    this.#touch(network);
    if (network.line.size === 0 && hasRoom(network)) beginOne(network, start);
    else network.line.add(subscriberOf(address), () => beginOne(network, start));
  }

  end(network: Network): void {
    network.ended += 1;
    this.#touch(network);
  }

  #networkOf(address: string): Network {
    const key = blockOf(address);
    const network = this.#networks.get(key) ?? { key, inWork: 0, ended: 0, begun: 0, line: new FairLine() };
    this.#networks.set(key, network);
    return network;
  }

  #touch(network: Network): void {
    if (this.#touched.size === 0) setImmediate(() => this.#pass());
    this.#touched.add(network);
  }

  #pass(): void {
    const touched = [...this.#touched];
    this.#touched.clear();
    for (const network of touched) {
      network.inWork -= network.ended;
      network.ended = 0;
      network.begun = 0;
      // Only one waiting request: in each pass the event loop also accepts only one new connection
      // from other networks
      if (hasRoom(network)) network.line.take()?.();
      if (network.begun > 0 || (network.line.size > 0 && hasRoom(network))) this.#touch(network);
      else if (network.inWork === 0 && network.line.size === 0) this.#networks.delete(network.key);
    }
  }
}

function hasRoom({ inWork, begun }: Network): boolean {
  return inWork < mostInWork && begun < mostOfPass;
}

function beginOne(network: Network, start: (network: Network) => void): void {
  network.inWork += 1;
  network.begun += 1;
  start(network);
}

const turnsOfRequests = new WeakMap<IncomingMessage, Turn>();

/**
 * Lets the requests of a server begin in turns by network. The number of waiting requests is
 * limited by the connections that a network may have. Their bodies are not read while they wait.
 * @param addressOf the client's address of a request, also behind a proxy
 */
export function beginInTurns(server: Server, addressOf: (request: IncomingMessage) => string): void {
  const turns = new RequestTurns();
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const turn = new Turn(turns, addressOf(request));
    turnsOfRequests.set(request, turn);
    onAnswer(response, () => turn.end());
    turn.take(() => {
      // The client has disconnected
      if (request.socket.destroyed) return turn.end();
      for (const listener of listeners) listener.call(server, request, response);
    });
  });
  upgradeInTurns(server, turns, addressOf);
}

/** Calls `then` when the answer begins, and when the connection closes. */
function onAnswer(response: ServerResponse, then: () => void): void {
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = (...given: unknown[]) => {
    then();
    return writeHead(...given);
  };
  response.once('close', then);
}

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The upgrade of a websocket holds its place only until it begins. */
function upgradeInTurns(server: Server, turns: RequestTurns, addressOf: (request: IncomingMessage) => string): void {
  const listeners = server.listeners('upgrade') as UpgradeListener[];
  // Without a listener Node would treat an upgrade as any other request
  if (listeners.length === 0) return;
  server.removeAllListeners('upgrade');
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const turn = new Turn(turns, addressOf(request));
    // Node has removed its own error listener
    const endWaiting = () => socket.destroy();
    socket.on('error', endWaiting);
    turn.take(() => {
      turn.end();
      if (socket.destroyed) return;
      for (const listener of listeners) listener.call(server, request, socket, head);
      socket.off('error', endWaiting);
    });
  });
}

/**
 * Gives back the place of a request while it waits for its client, or for its turn in `WorkQueue`.
 */
export function endTurn(request: IncomingMessage): void {
  turnsOfRequests.get(request)?.end();
}

/** Resolves when the request has a place again. */
export async function takeTurnAgain(request: IncomingMessage): Promise<void> {
  const turn = turnsOfRequests.get(request);
  if (turn) await new Promise<void>((resolve) => turn.take(resolve));
}
