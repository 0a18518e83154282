import { type DkimKeyDto, type DomainDetailDto, removeDkimKey } from '@selvage/core/contracts/domains';
import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { DeleteDialog } from '../../components/dialog/DeleteDialog.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { RecordList, RecordRow } from '../../components/list/RecordList.tsx';
import { Section } from '../../components/page/Section.tsx';
import { type StateKind, StateWord } from '../../components/StateWord.tsx';
import { api } from '../../lib/api.ts';
import { fullDay } from '../../lib/format.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { domainGuardWords } from '../../words/domain-guard.ts';
import { dnsRecordWords } from '../../words/dns-records.ts';
import { useShowDomain } from './queries.ts';

const kinds: Record<DkimKeyDto['state'], StateKind> = {
  waiting: 'waiting',
  signing: 'good',
  previous: 'held',
  retired: 'quiet',
};

/** What a state means for the people who keep the DNS. */
function whatToDo({ state, needed_until: until }: DkimKeyDto): string {
  const t = wordsOf(domainGuardWords);
  return until === null ? t[`${state}Text`] : t.previousUntil({ day: fullDay(until) });
}

const nothing = (): void => undefined;

interface Props {
  domain: DomainDetailDto;
  /** Begins another key. */
  onChangeKey: () => void;
}

/** The signing keys of a domain, and what there is to do with each. */
export function DkimKeys({ domain, onChangeKey }: Props) {
  const t = useWords(domainGuardWords);
  const { makingKey } = useWords(dnsRecordWords);
  const [removed, setRemoved] = useState<DkimKeyDto | null>(null);
  return (
    <Section title={t.keys} hint={t.rotate} action={<Button onClick={onChangeKey}>{t.changeKey}</Button>}>
      <RecordList
        label={t.keys}
        rows={domain.dkim_keys}
        error={null}
        empty={makingKey}
        onRetry={nothing}
        renderRow={(key) => (
          <RecordRow
            key={key.selector}
            title={key.selector}
            badge={<StateWord kind={kinds[key.state]}>{t[key.state]}</StateWord>}
            details={[key.record_name, whatToDo(key)]}
            actions={
              (key.state === 'waiting' || key.state === 'retired') && (
                <Button
                  size="small"
                  aria-label={t.deleteKeyOf({ selector: key.selector })}
                  onClick={() => setRemoved(key)}
                >
                  {t.deleteKey}
                </Button>
              )
            }
          />
        )}
      />
      {removed && <DeleteKeyDialog domain={domain} dkimKey={removed} onClose={() => setRemoved(null)} />}
    </Section>
  );
}

interface DialogProps {
  domain: DomainDetailDto;
  dkimKey: DkimKeyDto;
  onClose: () => void;
}

function DeleteKeyDialog({ domain, dkimKey: { selector, record_name: name }, onClose }: DialogProps) {
  const t = useWords(domainGuardWords);
  const show = useShowDomain();
  const remove = async (): Promise<void> => {
    await show(await api(removeDkimKey, { params: { id: domain._id, selector } }));
    notify.success(t.keyDeleted);
  };
  return <DeleteDialog title={t.deleteKeyTitle} text={t.deleteKeyText({ name })} onDelete={remove} onClose={onClose} />;
}
