import { QueryTypes, type Sequelize } from 'sequelize';
import { log } from '../log.ts';

/** Where an upgrade reports its progress, and how often during a long step. */
export interface Telling {
  /** Takes a sentence for the operator. */
  say(sentence: string): void;
  /** How long a step may take before its first line, and the time between two lines. */
  everyMs?: number;
}

const usualEveryMs = 10_000;

/** What an upgrade has to do. */
export interface UpgradePlan {
  /** How many steps. */
  steps: number;
  /** The database has no tables yet, so the operator need not know its steps. */
  isNew: boolean;
}

/**
 * Tells the operator in sentences how far an upgrade of the schema is: each step when it begins,
 * then every ten seconds which of its statements is running, and the end.
 */
export class UpgradeProgress {
  readonly #db: Sequelize;
  readonly #telling: Telling;
  readonly #plan: UpgradePlan;
  readonly #startedAt = performance.now();
  #begun = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(db: Sequelize, telling: Telling, plan: UpgradePlan) {
    this.#db = db;
    this.#telling = telling;
    this.#plan = plan;
    if (plan.isNew) telling.say('Making the tables of the new database');
  }

  /** Notes that a step begins, so the one before it is done. */
  begin(name: string, statements: number): void {
    this.stop();
    this.#begun += 1;
    if (this.#plan.isNew) return;
    const place = `Upgrading the database: step ${this.#begun} of ${this.#plan.steps}`;
    this.#telling.say(`${place}, ${name.replace(/\.ts$/, '')}`);
    const startedAt = performance.now();
    const tell = async () => {
      const row = await this.#readProgress(name);
      // The step may have ended meanwhile
      if (this.#timer !== timer || row === null) return;
      const statement = `statement ${Math.min(row.done + 1, statements)} of ${statements}`;
      const walked = row.walked > 0 ? `, row ${row.walked}` : '';
      this.#telling.say(`${place} is at ${statement}${walked}, after ${duration(startedAt)}`);
    };
    const timer = setInterval(() => void tell(), this.#telling.everyMs ?? usualEveryMs);
    this.#timer = timer;
  }

  /** Notes that all steps are done. */
  end(): void {
    this.stop();
    if (this.#begun === 0 || this.#plan.isNew) return;
    const steps = this.#begun === 1 ? '1 step' : `${this.#begun} steps`;
    this.#telling.say(`The database is upgraded: ${steps} in ${duration(this.#startedAt)}`);
  }

  /** Stops reporting the step under way. */
  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Null when it can't be read: the upgrade itself then reports why. */
  async #readProgress(name: string): Promise<{ done: number; walked: number } | null> {
    try {
      const [row] = await this.#db.query<{ done: number; walked: string }>(
        'SELECT done, walked FROM schema_progress WHERE name = :name',
        { replacements: { name }, type: QueryTypes.SELECT },
      );
      return { done: row?.done ?? 0, walked: Number(row?.walked ?? 0) };
    } catch (error) {
      log.warn('the progress of a schema step could not be read', { migration: name, error });
      return null;
    }
  }
}

function duration(startedAt: number): string {
  const seconds = Math.ceil((performance.now() - startedAt) / 1000);
  if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return `${Math.floor(seconds / 60)} minutes`;
}
