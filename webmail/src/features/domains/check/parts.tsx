import type { DnsCheck } from '@selvage/core/contracts/domain-check';
import { Badge, makeStyles, tokens } from '@fluentui/react-components';
import { RecordList, RecordRow } from '../../../components/list/RecordList.tsx';
import { Facts } from '../../../components/page/Facts.tsx';
import { StateWord } from '../../../components/StateWord.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { dnsCheckWords } from '../../../words/dns-check.ts';
import { PartState } from './PartState.tsx';

interface Props {
  check: DnsCheck;
}

const nothing = (): void => undefined;

/** The servers that mail for the domain is delivered to. */
export function MxPart({ check: { mx } }: Props) {
  const t = useWords(dnsCheckWords);
  return (
    <>
      <Facts rows={[[t.result, <PartResult key="state" part={mx} />]]} />
      <RecordList
        label={t.mx}
        rows={mx.records}
        error={null}
        empty={t.noRecords}
        onRetry={nothing}
        renderRow={(record) => (
          <RecordRow
            key={`${record.priority} ${record.exchange}`}
            title={record.exchange}
            badge={
              record.smtp.success !== null && (
                <StateWord kind={record.smtp.success ? 'good' : 'bad'}>
                  {record.smtp.success ? t.good : t.bad}
                </StateWord>
              )
            }
            details={[
              t.priority({ number: String(record.priority) }),
              record.ip ?? t.noAddress,
              record.smtp.details,
              ...record.blacklist.map((zone) => t.listed({ zone })),
            ]}
          />
        )}
      />
    </>
  );
}

/** The servers that may send for the domain. */
export function SpfPart({ check: { spf } }: Props) {
  const t = useWords(dnsCheckWords);
  return (
    <>
      <Facts
        rows={[
          [t.result, <PartResult key="state" part={spf} />],
          [t.record, spf.record],
          [t.several, spf.multipleRecords ? t.yes : t.no],
          [t.lookups, t.ofTen({ count: String(spf.lookupCount) })],
        ]}
      />
      <RecordList
        label={t.mechanisms}
        rows={spf.mechanisms}
        error={null}
        empty={t.noRecords}
        onRetry={nothing}
        renderRow={({ type, qualifier, value }) => (
          <RecordRow key={`${qualifier}${type}:${value}`} title={`${qualifier}${type}`} details={[value]} />
        )}
      />
    </>
  );
}

const usePolicyStyles = makeStyles({
  // Fluent's `warning` is orange
  yellow: {
    backgroundColor: tokens.colorPaletteYellowBackground3,
    color: tokens.colorNeutralForeground1Static,
    borderTopColor: tokens.colorPaletteYellowBackground3,
    borderRightColor: tokens.colorPaletteYellowBackground3,
    borderBottomColor: tokens.colorPaletteYellowBackground3,
    borderLeftColor: tokens.colorPaletteYellowBackground3,
  },
});

/** A policy of DMARC: green, yellow or grey by how strict it is. */
function Policy({ policy }: { policy: string }) {
  const styles = usePolicyStyles();
  const name = policy.toLowerCase();
  return (
    <Badge
      appearance="tint"
      color={name === 'reject' ? 'success' : 'informative'}
      {...(name === 'quarantine' ? { className: styles.yellow } : {})}
    >
      {policy}
    </Badge>
  );
}

/** What receivers do with forged mail. */
export function DmarcPart({ check: { dmarc } }: Props) {
  const t = useWords(dnsCheckWords);
  const { p, rua, ruf, v } = dmarc.tags;
  return (
    <Facts
      rows={[
        [t.result, <PartResult key="state" part={dmarc} />],
        [t.record, dmarc.record],
        [t.several, dmarc.multipleRecords ? t.yes : t.no],
        [t.version, v],
        [t.policy, p && <Policy key="policy" policy={p} />],
        [t.alignment, t.alignments({ dkim: t[dmarc.alignment.dkim], spf: t[dmarc.alignment.spf] })],
        [t.rua, rua],
        [t.ruf, ruf],
      ]}
    />
  );
}

/** The keys by which receivers check signatures. */
export function DkimPart({ check: { dkim } }: Props) {
  const t = useWords(dnsCheckWords);
  return (
    <>
      <Facts rows={[[t.result, <PartResult key="state" part={dkim} />]]} />
      <RecordList
        label={t.selector}
        rows={dkim.records}
        error={null}
        empty={t.noRecords}
        onRetry={nothing}
        renderRow={({ selector, is_ours: isOurs, details, txt, tags }) => (
          <RecordRow
            key={selector}
            title={selector}
            badge={isOurs && <StateWord kind="good">{t.ours}</StateWord>}
            details={[details, ...(tags.k ? [t.keyType({ type: tags.k })] : []), ...(txt ? [txt] : [])]}
          />
        )}
      />
    </>
  );
}

/** The zone that the domain is in. */
export function ZonePart({ check: { dns } }: Props) {
  const t = useWords(dnsCheckWords);
  const { soa } = dns;
  return (
    <Facts
      rows={[
        [t.result, dns.details],
        [t.addresses, dns.a.map(({ ip }) => ip).join(', ')],
        [t.nameServers, dns.ns.map(({ name, ip }) => (ip ? `${name} (${ip})` : name)).join(', ')],
        [t.primary, soa?.nsname],
        [t.hostmaster, soa?.hostmaster],
        [t.serial, soa && String(soa.serial)],
        [t.times, soa && [soa.refresh, soa.retry, soa.expire, soa.minttl].join(', ')],
      ]}
    />
  );
}

function PartResult({ part }: { part: { found: boolean; valid: boolean; details: string; ttl: number | null } }) {
  const t = useWords(dnsCheckWords);
  return (
    <>
      <PartState part={part} /> {part.details}
      {part.ttl !== null && ` ${t.ttl}: ${t.seconds(part.ttl)}.`}
    </>
  );
}
