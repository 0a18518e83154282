import { fileSize } from '../lib/format.ts';
import { useWords } from '../lib/i18n.ts';
import { limitWords } from '../words/limits.ts';
import { LimitUse } from './LimitUse.tsx';
import { Facts } from './page/Facts.tsx';
import { Section } from './page/Section.tsx';

type Use = { used: number; limit: number | null };

interface Props {
  plan: { users: Use; domains: Use; storage: Use };
  /** Bytes that each mailbox may have; undefined where that is not known. */
  mailboxLimit?: number | null;
}

/** What a company has of its plan. */
export function PlanUseSection({ plan, mailboxLimit }: Props) {
  const t = useWords(limitWords);
  const number = (amount: number) => amount.toLocaleString();
  const ofMailbox = mailboxLimit ? t.upTo({ limit: fileSize(mailboxLimit) }) : t.any;
  return (
    <Section title={t.plan}>
      <Facts
        rows={[
          [t.users, <LimitUse key="users" use={plan.users} show={number} />],
          [t.domains, <LimitUse key="domains" use={plan.domains} show={number} />],
          [t.storage, <LimitUse key="storage" use={plan.storage} show={fileSize} />],
          ...(mailboxLimit === undefined ? [] : [[t.mailboxes, ofMailbox] as const]),
        ]}
      />
    </Section>
  );
}
