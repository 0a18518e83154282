import type { ManagedEvents } from './managed.ts';
import type { ManagedProgram } from './managed-program.ts';
import type { RestartReport } from './state-file.ts';

/**
 * Replaces the processes of all programs by new ones, program by program. When a new process does
 * not get ready, the old ones of that program go on, and the programs after it are left alone.
 */
export class RollingRestart {
  report: RestartReport = { number: 0, state: 'done', replaced: [], problem: null };
  private readonly programs: () => ManagedProgram[];
  private readonly events: Pick<ManagedEvents, 'say' | 'changed'>;
  private isAskedAgain = false;

  constructor(programs: () => ManagedProgram[], events: Pick<ManagedEvents, 'say' | 'changed'>) {
    this.programs = programs;
    this.events = events;
  }

  /**
   * Begins a restart. While one runs, another one will follow it, since the processes that were
   * already replaced may lack the operator's latest change.
   */
  ask(): void {
    if (this.report.state === 'running') this.isAskedAgain = true;
    else void this.run();
  }

  private async run(): Promise<void> {
    do {
      this.isAskedAgain = false;
      this.note({ number: this.report.number + 1, state: 'running', replaced: [], problem: null });
      this.events.say('replacing all processes by new ones');
      const problem = await this.replaceAll();
      this.note({ state: problem === null ? 'done' : 'failed', problem });
      this.events.say(problem === null ? 'all processes were replaced' : `!! ${problem}`);
    } while (this.isAskedAgain);
  }

  /** Returns why not all processes could be replaced; null when all were. */
  private async replaceAll(): Promise<string | null> {
    for (const program of this.programs()) {
      const { name } = program.spec;
      if (!(await program.replace())) {
        const isStopping = program.state === 'stopping' || program.state === 'stopped';
        return isStopping
          ? 'the host is being stopped'
          : `a new process of ${name} did not get ready; the old ones go on`;
      }
      this.note({ replaced: [...this.report.replaced, name] });
    }
    return null;
  }

  private note(change: Partial<RestartReport>): void {
    this.report = { ...this.report, ...change };
    this.events.changed();
  }
}
