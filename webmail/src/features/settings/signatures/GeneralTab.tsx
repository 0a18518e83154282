import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { AddRegular } from '@fluentui/react-icons/svg/add';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Bar, Placeholder } from '../../../components/feedback/Placeholder.tsx';
import { messageOf } from '../../../lib/api-error.ts';
import { signaturesQuery } from '../../../lib/signatures.ts';
import { Section } from '../../../components/page/Section.tsx';
import { DefaultSignatures } from './DefaultSignatures.tsx';
import { NewSignatureDialog } from './NewSignatureDialog.tsx';
import { SignatureList } from './SignatureList.tsx';
import { SignaturePane } from './SignaturePane.tsx';
import { entriesOf } from './entries.ts';
import { beginSignature, useUnsaved } from './unsaved.ts';

const useStyles = makeStyles({
  columns: {
    display: 'grid',
    gridTemplateColumns: 'minmax(180px, 240px) minmax(0, 1fr)',
    gap: tokens.spacingHorizontalXL,
    '@media (max-width: 719px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  quiet: { color: tokens.colorNeutralForeground2 },
  failed: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
});

interface Selection {
  key: string | null;
  focusOn: 'text' | 'name' | null;
}

/** The signatures: which there are, what they say, and which is put under what. */
export function GeneralTab() {
  const styles = useStyles();
  const { data: saved, error, refetch } = useQuery(signaturesQuery);
  const unsaved = useUnsaved();
  const [{ key: selected, focusOn }, setSelected] = useState<Selection>({ key: null, focusOn: null });
  const [isNaming, setNaming] = useState(false);
  const entries = entriesOf(saved ?? [], unsaved);
  const active = entries.find(({ key }) => key === selected) ?? entries[0];

  if (!saved) {
    return (
      <Section title="E-mail signatures">
        {error ? (
          <div className={styles.failed} role="alert">
            <Text>{messageOf(error)}</Text>
            <Button onClick={() => void refetch()}>Retry</Button>
          </div>
        ) : (
          <Placeholder label="Loading the signatures">
            <Bar height={200} />
          </Placeholder>
        )}
      </Section>
    );
  }
  return (
    <>
      <Section
        title="E-mail signatures"
        hint="What stands under the mail you write. You can keep several and choose one for each message."
        action={
          <Button icon={<AddRegular />} onClick={() => setNaming(true)}>
            New signature
          </Button>
        }
      >
        {active ? (
          <div className={styles.columns}>
            <SignatureList
              entries={entries}
              selected={active.key}
              onSelect={(key) => setSelected({ key, focusOn: null })}
            />
            <SignaturePane
              key={active.key}
              entry={active}
              others={entries.filter(({ key }) => key !== active.key)}
              focusOn={focusOn}
              onCreated={(key) => setSelected({ key, focusOn: 'name' })}
              onRemoved={() => setSelected({ key: null, focusOn: 'name' })}
            />
          </div>
        ) : (
          <Text className={styles.quiet}>You have no signature yet. Create one by giving it a name.</Text>
        )}
      </Section>
      <DefaultSignatures signatures={saved} />
      {isNaming && (
        <NewSignatureDialog
          entries={entries}
          onCreate={(name) => setSelected({ key: beginSignature(name), focusOn: 'text' })}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}
