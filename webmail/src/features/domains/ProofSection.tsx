import { type DomainDetailDto, vouchForDomain } from '@selvage/core/contracts/domains';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { Section } from '../../components/page/Section.tsx';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { domainWords } from '../../words/domains.ts';
import { CheckProof } from './CheckProof.tsx';
import { isLookedFor } from './proof-time.ts';
import { useShowDomain } from './queries.ts';
import { RecordLines } from './RecordLines.tsx';

const useStyles = makeStyles({
  after: { margin: 0, maxWidth: '80ch', color: tokens.colorNeutralForeground2 },
});

/** What a company does so that its domain is verified (D34). */
export function ProofSection({ domain }: { domain: DomainDetailDto }) {
  const styles = useStyles();
  const t = useWords(domainWords);
  const [isVouching, setVouching] = useState(false);
  const { abilities, proof } = domain;
  return (
    <Section title={t.proofTitle} hint={t.proofText}>
      <RecordLines domain={domain.domain_name} name={proof.name} content={proof.content} />
      <p className={styles.after}>{isLookedFor(domain) ? t.proofAfter : t.proofStopped}</p>
      <CheckProof domainId={domain._id} mayCheck={abilities.edit}>
        {abilities.vouch && <Button onClick={() => setVouching(true)}>{t.vouch}</Button>}
      </CheckProof>
      {isVouching && <VouchDialog domain={domain} onClose={() => setVouching(false)} />}
    </Section>
  );
}

function VouchDialog({ domain, onClose }: { domain: DomainDetailDto; onClose: () => void }) {
  const t = useWords(domainWords);
  const { cancel } = useWords(dialogWords);
  const show = useShowDomain();
  const vouch = async (): Promise<void> => show(await api(vouchForDomain, { params: { id: domain._id } }));
  const text = t.vouchText({ name: shownAddress(domain.domain_name), company: domain.company_id.name });
  return (
    <ConfirmDialog
      title={t.vouchTitle}
      text={text}
      confirmLabel={t.vouchConfirm}
      cancelLabel={cancel}
      onConfirm={vouch}
      onClose={onClose}
    />
  );
}
