import { ConfirmDialog } from '../../../components/dialog/ConfirmDialog.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';
import type { Composition } from './composition.ts';
import { discardUnsent } from './close-messages.ts';

interface Props {
  place: Pick<Composition, 'owner' | 'id'>;
  onClose: () => void;
}

/** Asks before an unsent message is thrown away. */
export default function DiscardUnsentQuestion({ place, onClose }: Props) {
  const t = useWords(unsentWords);
  return (
    <ConfirmDialog
      isDangerous
      title={t.discardTitle}
      text={t.discardText}
      confirmLabel={t.discard}
      cancelLabel={t.keepWriting}
      onConfirm={() => discardUnsent(place)}
      onClose={onClose}
    />
  );
}
