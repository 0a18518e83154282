import { Button } from '@fluentui/react-components';
import { useEffect } from 'react';
import { notify } from '../../components/feedback/notify.ts';
import { awaitThere } from '../settling.ts';
import { Specimen } from '../Specimen.tsx';

const run = (): void => undefined;

/** Whether an animation runs, since a toast grows while it appears. */
const isMoving = (): boolean => document.getAnimations().some(({ playState }) => playState === 'running');

let isSaid = false;

export function ToastSection() {
  useEffect(() => {
    if (isSaid) return;
    isSaid = true;
    notify.success('Archived: 3 messages', { label: 'Undo', run });
    notify.info('You got new mail from Priya Raman', { label: 'Open', run });
    notify.failure('The database is away. What you typed is still here.');
    awaitThere(
      () => document.querySelectorAll('.fui-Toast').length === 3 && !isMoving(),
      () => undefined,
    );
  }, []);
  return (
    <Specimen title="Toasts">
      {/* they stay to be looked at: the clock of a toast is an animation */}
      <style>{'[data-timer-status] { animation-play-state: paused !important }'}</style>
      <Button onClick={() => notify.success('Profile saved')}>Saved</Button>
      <Button onClick={() => notify.success('Moved to trash', { label: 'Undo', run })}>With Undo</Button>
      <Button onClick={() => notify.error(new Error('The server took too long to answer. Try again.'))}>Failed</Button>
    </Specimen>
  );
}
