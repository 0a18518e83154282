import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { AddRegular } from '@fluentui/react-icons/svg/add';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Bar, Placeholder } from '../../../components/feedback/Placeholder.tsx';
import { messageOf } from '../../../lib/api-error.ts';
import { useWords } from '../../../lib/i18n.ts';
import { signaturesQuery } from '../../../lib/signatures.ts';
import { onNarrow } from '../../../theme/breakpoints.ts';
import { signatureWords } from '../../../words/signatures.ts';
import { Section } from '../../../components/page/Section.tsx';
import { DesktopNewsSection } from '../sending/DesktopNewsSection.tsx';
import { PictureSection } from '../pictures/PictureSection.tsx';
import { UndoSection } from '../sending/UndoSection.tsx';
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
    [onNarrow]: { gridTemplateColumns: 'minmax(0, 1fr)' },
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
  const t = useWords(signatureWords);
  const { data: saved, error, refetch } = useQuery(signaturesQuery);
  const unsaved = useUnsaved();
  const [{ key: selected, focusOn }, setSelected] = useState<Selection>({ key: null, focusOn: null });
  const [isNaming, setNaming] = useState(false);
  const entries = entriesOf(saved ?? [], unsaved);
  const active = entries.find(({ key }) => key === selected) ?? entries[0];

  if (!saved) {
    return (
      <Section title={t.title}>
        {error ? (
          <div className={styles.failed} role="alert">
            <Text>{messageOf(error)}</Text>
            <Button onClick={() => void refetch()}>{t.retry}</Button>
          </div>
        ) : (
          <Placeholder label={t.loading}>
            <Bar height={200} />
          </Placeholder>
        )}
      </Section>
    );
  }
  return (
    <>
      <Section
        title={t.title}
        hint={t.hint}
        action={
          <Button icon={<AddRegular />} onClick={() => setNaming(true)}>
            {t.add}
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
          <Text className={styles.quiet}>{t.none}</Text>
        )}
      </Section>
      <DefaultSignatures signatures={saved} />
      <UndoSection />
      <DesktopNewsSection />
      <PictureSection />
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
