import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../lib/api-error.ts';
import { currentSubject } from '../lib/session.ts';
import { changesMade } from './use-action.ts';

/** How far a change has come. */
interface Progress {
  /** Where the next part goes on; null at the end. */
  until: string | null;
}

interface Run<P extends Progress> {
  /** Before the first part. */
  start: P;
  /**
   * Has the server make the next part, in a call of the person `as`, and says how far the change
   * has come with it.
   */
  makePart: (progress: P & { until: string }, as: string | null) => Promise<P>;
  /** All of it, or a part, was done for the person `as`. */
  onEnd: (progress: P, as: string | null) => Promise<void>;
  /** The person goes away before the first part. */
  onCancel: () => void;
}

/** What a dialog shows of a run, and what its buttons do. */
export interface PartedRun {
  hasBegun: boolean;
  isBusy: boolean;
  /** The person has stopped it, and the part under way is not done yet. */
  isStopping: boolean;
  /** Why the last part was not done. */
  failure: string | null;
  /** Begins, or goes on after a part that failed. */
  run: () => void;
  /**
   * Stops a run after the part that is under way. Without such a part it ends the change: what was
   * done stays, and if nothing was done, the change is cancelled.
   */
  cancel: () => void;
}

interface RunInParts<P extends Progress> extends PartedRun {
  progress: P;
}

/**
 * Runs a change that the server makes part by part. Each part waits until the server has what the
 * person did before, as they see it. The person can stop the run between two parts, and it stops by
 * itself when its dialog goes: what is not seen can't be stopped.
 */
export function useRunInParts<P extends Progress>({ start, makePart, onEnd, onCancel }: Run<P>): RunInParts<P> {
  // The person who is asked: another one may log in while a part is under way
  const [as] = useState(currentSubject);
  const hasStopped = useRef(false);
  const isGone = useRef(false);
  const [isStopping, setStopping] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [progress, setProgress] = useState(start);
  const hasBegun = isBusy || progress.until !== start.until;

  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);

  const run = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    let now = progress;
    const isOver = (): boolean => hasStopped.current || isGone.current;
    try {
      while (now.until !== null && !isOver()) {
        await changesMade();
        if (isOver()) break;
        now = await makePart({ ...now, until: now.until }, as);
        setProgress(now);
      }
    } catch (error) {
      // With the dialog gone, all that is left to say is how far it came
      if (isGone.current) return now.until === start.until ? undefined : await onEnd(now, as);
      setFailure(messageOf(error));
      setBusy(false);
      // The next press on Continue runs to the end, even if the person had asked to stop before the
      // failure
      hasStopped.current = false;
      setStopping(false);
      return;
    }
    // Stopped before the first part was asked for
    if (now.until === start.until) return isGone.current ? undefined : onCancel();
    await onEnd(now, as);
  };
  const cancel = (): void => {
    if (isBusy) {
      hasStopped.current = true;
      setStopping(true);
    } else if (hasBegun) void onEnd(progress, as);
    else onCancel();
  };
  return { progress, hasBegun, isBusy, isStopping, failure, run: () => void run(), cancel };
}
