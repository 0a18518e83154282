import { removeSignature } from '@selvage/core/contracts/signatures';
import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { can } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { signatureWords } from '../../../words/signatures.ts';
import { textOfHtml } from '../../mail/compose/text-of-html.ts';
import { DeleteSignatureDialog } from './DeleteSignatureDialog.tsx';
import type { SignatureEntry } from './entries.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'flex-start',
    gap: tokens.spacingVerticalM,
    minWidth: 0,
  },
  words: { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
});

interface Props {
  entry: SignatureEntry;
  onRemoved: () => void;
}

/** What a signature says, for a person who may not change it. */
export function SignatureText({ entry, onRemoved }: Props) {
  const styles = useStyles();
  const t = useWords(signatureWords);
  const mayDelete = can(useCurrentUser(), removeSignature);
  const [isAsking, setAsking] = useState(false);
  return (
    <div className={styles.root} role="group" aria-label={t.one({ name: entry.name })}>
      <Text className={styles.words} dir="auto">
        {textOfHtml(entry.saved?.signature_body ?? '')}
      </Text>
      {mayDelete && <Button onClick={() => setAsking(true)}>{t.delete}</Button>}
      {isAsking && <DeleteSignatureDialog entry={entry} onRemoved={onRemoved} onClose={() => setAsking(false)} />}
    </div>
  );
}
