import { createSignature, updateSignature } from '@selvage/core/contracts/signatures';
import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { AddRegular } from '@fluentui/react-icons/svg/add';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Bar, Placeholder } from '../../../components/feedback/Placeholder.tsx';
import { messageOf } from '../../../lib/api-error.ts';
import { can } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
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
import { SignatureText } from './SignatureText.tsx';
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

/**
 * The general settings: signatures, the time to undo sending, notifications, and pictures in mail.
 */
export function GeneralTab() {
  const styles = useStyles();
  const t = useWords(signatureWords);
  const user = useCurrentUser();
  const mayAdd = can(user, createSignature);
  const { data: saved, error, refetch } = useQuery(signaturesQuery);
  const unsaved = useUnsaved();
  const [{ key: selected, focusOn }, setSelected] = useState<Selection>({ key: null, focusOn: null });
  const [isNaming, setNaming] = useState(false);
  const entries = entriesOf(saved ?? [], unsaved);
  const active = entries.find(({ key }) => key === selected) ?? entries[0];
  const others = entries.filter((entry) => entry !== active);

  if (!saved) return <NoSignatures error={error} onRetry={() => void refetch()} />;
  const mayWrite = active?.saved ? can(user, updateSignature) : mayAdd;
  const removed = (): void => setSelected({ key: others[0]?.key ?? null, focusOn: 'name' });
  return (
    <>
      <Section
        title={t.title}
        hint={t.hint}
        action={
          mayAdd && (
            <Button icon={<AddRegular />} onClick={() => setNaming(true)}>
              {t.add}
            </Button>
          )
        }
      >
        {active ? (
          <div className={styles.columns}>
            <SignatureList
              entries={entries}
              selected={active.key}
              onSelect={(key) => setSelected({ key, focusOn: null })}
            />
            {mayWrite ? (
              <SignaturePane
                key={active.key}
                entry={active}
                others={others}
                focusOn={active.key === selected ? focusOn : null}
                onRemoved={removed}
              />
            ) : (
              <SignatureText key={active.key} entry={active} onRemoved={removed} />
            )}
          </div>
        ) : (
          <Text className={styles.quiet}>{mayAdd ? t.none : t.noneOnly}</Text>
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

/** Shown until the signatures are loaded. */
function NoSignatures({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const styles = useStyles();
  const t = useWords(signatureWords);
  return (
    <Section title={t.title}>
      {error ? (
        <div className={styles.failed} role="alert">
          <Text>{messageOf(error)}</Text>
          <Button onClick={onRetry}>{t.retry}</Button>
        </div>
      ) : (
        <Placeholder label={t.loading}>
          <Bar height={200} />
        </Placeholder>
      )}
    </Section>
  );
}
