import { connectionStates, type HarakaConnection, insideOf, type OpenConnection } from './haraka.ts';

/*
 * How much of a peer's input is handled in one turn of the event loop, and how much is buffered.
 * Where these functions stand among all that handles input: `haraka/plugins/connections/index.ts`.
 */

/** At most this many bytes of commands are handled in one turn of the event loop. */
const turnBytes = 4096;

/**
 * Limits how much of a peer's input and output Haraka buffers. Stops reading from a peer that has
 * sent more than `bytes` of commands ahead. Handles no further command while the peer does not read
 * its replies. Handles at most `turnBytes` of commands in each turn of the event loop, where Haraka
 * would handle all of them in one turn.
 */
export function boundPipeline(connection: HarakaConnection, bytes: number): void {
  const open = insideOf(connection);
  const hasUnread = watchUnread(connection);
  const processData = open._process_data.bind(connection);
  let isResting = false;
  let isHeld = false;
  const handle = (): void => {
    const isTurnOver = open.current_data !== null && open.current_data.length > turnBytes;
    if (!isTurnOver || connection.state !== connectionStates.command) return processData();
    handleBeginning(open, processData);
    isResting = true;
    setImmediate(() => {
      isResting = false;
      open._process_data();
    });
  };
  open._process_data = () => {
    const mayGoOn = connection.state !== connectionStates.command || !(isResting || hasUnread());
    if (mayGoOn && !isTurnAwaited(connection)) handle();
    const isAhead = connection.state !== connectionStates.data && (open.current_data?.length ?? 0) > bytes;
    if (isAhead) open.client.pause();
    // In any later state Haraka goes on by its own `resume`, which resumes the socket too
    else if (isHeld && connection.state <= connectionStates.pauseCommand) open.client.resume();
    isHeld = isAhead;
  };
}

/** The time for the message data of all peers together in one turn of the event loop. */
const turnMs = 20;
/** The time that message data has taken in this turn. */
let spentMs = 0;

/**
 * Limits the time that the message data of all peers takes in one turn of the event loop. Once that
 * time is used up, a connection pauses its socket and handles its data in a later turn. Without the
 * limit, Node hands on up to 2 MB of each peer in one turn, and a megabyte of lines of dots takes
 * 25 ms.
 */
export function shareTurns(connection: HarakaConnection): void {
  const open = insideOf(connection);
  const processData = open._process_data.bind(connection);
  let isLeft = false;
  const goOn = (): void => {
    isLeft = false;
    // Before `_process_data`, which may pause the socket again
    open.client.resume();
    open._process_data();
  };
  open._process_data = () => {
    if (connection.state !== connectionStates.data) return processData();
    if (spentMs < turnMs) return spend(processData);
    if (isLeft) return;
    isLeft = true;
    open.client.pause();
    setImmediate(goOn);
  };
}

function spend(work: () => void): void {
  if (spentMs === 0) setImmediate(endTurn);
  const begun = performance.now();
  try {
    work();
  } finally {
    spentMs += performance.now() - begun;
  }
}

function endTurn(): void {
  spentMs = 0;
}

/**
 * Returns a function that tells whether replies wait for the peer to read them. Once the socket has
 * drained, the commands that have waited are handled.
 */
function watchUnread(connection: HarakaConnection): () => boolean {
  const open = insideOf(connection);
  const { client } = open;
  let isUnread = false;
  const write = client.write.bind(client);
  client.write = (...given) => {
    const isFlowing = write(...given);
    isUnread = isFlowing === false;
    return isFlowing;
  };
  client.on('drain', () => {
    isUnread = false;
    open._process_data();
  });
  return () => isUnread;
}

/**
 * Lets Haraka handle only the first `turnBytes` of what has been read. The space appended to them
 * shows Haraka that more data follows: it refuses data that a peer pipelines after a command that
 * must be the last one of its group (RFC 2920 3.1).
 */
function handleBeginning(open: OpenConnection, processData: () => void): void {
  const all = open.current_data ?? Buffer.alloc(0);
  const rest = all.subarray(turnBytes);
  open.current_data = Buffer.concat([all.subarray(0, turnBytes), Buffer.from(' ')]);
  processData();
  // Null when the connection has ended, and after STARTTLS: what came behind it in plain text must
  // not be handled (RFC 3207 6), so the rest is dropped too
  if (open.current_data) open.current_data = Buffer.concat([open.current_data.subarray(0, -1), rest]);
}

/**
 * Whether Haraka waits for the reply to a command of a peer that is known to send early. In that
 * state Haraka schedules another pass for each turn of the event loop, and each further command
 * adds one more. No pass is needed until the reply, which starts one.
 */
function isTurnAwaited({ early_talker, state }: HarakaConnection): boolean {
  return early_talker && (state === connectionStates.pause || state === connectionStates.pauseCommand);
}
