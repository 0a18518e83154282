import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { blockOf, subscriberOf } from '@selvage/core/access/network-of';
import { FairLine } from '@selvage/core/fair-line';

/**
 * Requests of one network (a block of addresses, as at the door) that are begun as they arrive in
 * one pass of the event loop. This is what others wait for at each of their steps.
 */
const mostOfPass = 8;
/** Requests of one network in work: more than the database and the disk can take up at once. */
const mostInWork = 32;
/**
 * A request that takes longer than this waits for the database or for another server and no longer
 * loads the event loop, so the next request of its network can begin.
 */
const longestMs = 500;

interface Network {
  key: string;
  inWork: number;
  /** How many of those in work end with this pass of the event loop. */
  ended: number;
  begun: number;
  line: FairLine<() => void>;
}

/**
 * A request's place among those of its network that are in work. Taken before anything is done for
 * the request. Given back when its answer begins, when it waits for its body, when the turns of
 * people take over (`WorkQueue`), and at the latest after half a second.
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

  /** Harmless when called again. */
  end(): void {
    if (!this.#held) return;
    clearTimeout(this.#timer);
    this.#turns.end(this.#held);
    this.#held = null;
  }
}

/**
 * Begins requests at once, except those of a network that has many in work: they wait, and the
 * addresses of the network take turns. A place becomes free only with the next pass of the event
 * loop: without that, all requests that came at once and are refused at once would be one pass.
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
      // One of those that wait: the loop too takes in one new connection in each pass, of any
      // network
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
 * Lets the requests of a server begin in turns by network. What waits is bounded by the connections
 * that a network may have, and of its body nothing is read.
 * @param addressOf the client of a request, also behind a proxy
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
      // Its client is gone
      if (request.socket.destroyed) return turn.end();
      for (const listener of listeners) listener.call(server, request, response);
    });
  });
  upgradeInTurns(server, turns, addressOf);
}

/** Calls back when the answer begins, and when the connection ends before that. */
function onAnswer(response: ServerResponse, then: () => void): void {
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = (...given: unknown[]) => {
    then();
    return writeHead(...given);
  };
  response.once('close', then);
}

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The turn of a websocket is its beginning alone. */
function upgradeInTurns(server: Server, turns: RequestTurns, addressOf: (request: IncomingMessage) => string): void {
  const listeners = server.listeners('upgrade') as UpgradeListener[];
  // Without a listener Node would treat an upgrade as any other request
  if (listeners.length === 0) return;
  server.removeAllListeners('upgrade');
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const turn = new Turn(turns, addressOf(request));
    // Node has taken its own listener off
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

/** A request gives its turn to others: it waits for its client, or for turns of another kind. */
export function endTurn(request: IncomingMessage): void {
  turnsOfRequests.get(request)?.end();
}

/** Resolves when it is the turn of a request again. */
export async function takeTurnAgain(request: IncomingMessage): Promise<void> {
  const turn = turnsOfRequests.get(request);
  if (turn) await new Promise<void>((resolve) => turn.take(resolve));
}
