import { BatchedWrites } from '../batched-writes.ts';
import type { App } from '../context/app.ts';
import { systemContext } from '../context/context.ts';
import { log } from '../log.ts';
import { type AuditInput, recordAudits } from './audit.ts';
import { subscriberOf } from './network-of.ts';

/** A login of a mail program that was refused. */
export interface RefusedMailLogin {
  /** The account that has the address; null where none has it. */
  user: { id: string; companyId: string } | null;
  /** Address of the peer. */
  address: string;
}

interface Kept extends RefusedMailLogin {
  since: number;
  times: number;
  /** How many of `times` are written to the audit trail. */
  written: number;
}

const windowMs = 600_000;
const flushMs = 2_000;
/**
 * How many pairs of account and peer are told apart within one window. All others share one event.
 */
const mostKept = 500;

/**
 * Writes refused logins of mail programs into the audit trail. Attackers guess day and night, and a
 * program repeats a wrong password for weeks. So refusals of one account from one peer are grouped.
 * The first within ten minutes has its own event. The others share one event, which holds their
 * number. While the database is away the events wait in memory, which is bounded.
 */
export class RefusedMailLogins {
  readonly #app: App;
  readonly #kept = new Map<string, Kept>();
  readonly #writes = new BatchedWrites({ write: (isEnd) => this.#write(isEnd), firstMs: flushMs, restMs: flushMs });

  constructor(app: App) {
    this.#app = app;
  }

  note({ user, address }: RefusedMailLogin): void {
    const peer = subscriberOf(address);
    const key = `${user?.id ?? ''} ${peer}`;
    const isOther = this.#kept.size >= mostKept && !this.#kept.has(key);
    const known = this.#kept.get(isOther ? '' : key);
    if (known) known.times += 1;
    else {
      const login = isOther ? { user: null, address: '' } : { user, address: peer };
      this.#kept.set(isOther ? '' : key, { ...login, since: Date.now(), times: 1, written: 0 });
    }
    this.#writes.begin();
  }

  /** Writes everything that was noted so far. Settles once it is written or can't be. */
  flush(): Promise<void> {
    return this.#writes.flush();
  }

  async #write(isEnd: boolean): Promise<boolean> {
    const isOver = ({ since }: Kept): boolean => isEnd || Date.now() - since >= windowMs;
    const due = [...this.#kept.values()]
      .filter((kept) => kept.times > kept.written && (kept.written === 0 || isOver(kept)))
      .map((kept) => ({ kept, times: kept.times - kept.written }));
    try {
      if (due.length > 0) await recordAudits(systemContext(this.#app), due.map(eventOf));
      for (const { kept, times } of due) kept.written += times;
    } catch (error) {
      log.warn('refused logins of mail programs wait to be written', { rows: due.length, error });
    }
    for (const [key, kept] of this.#kept) {
      if (kept.times === kept.written && isOver(kept)) this.#kept.delete(key);
    }
    return this.#kept.size > 0;
  }
}

function eventOf({ kept: { user, address }, times }: { kept: Kept; times: number }): AuditInput {
  return {
    action: 'mail-login:refused',
    ...(user ? { entity: 'user', entityId: user.id, companyId: user.companyId } : {}),
    ...(times > 1 ? { details: { times } } : {}),
    address,
    times,
  };
}
