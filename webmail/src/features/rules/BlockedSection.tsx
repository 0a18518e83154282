import { type BlockedSenderDto, blockSender, unblockSender } from '@selvage/core/contracts/mail-rules';
import { Button } from '@fluentui/react-components';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { notify } from '../../components/feedback/notify.ts';
import { RecordList, RecordRow } from '../../components/list/RecordList.tsx';
import { Section } from '../../components/page/Section.tsx';
import { api } from '../../lib/api.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { fullDate } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { mailRuleWords } from '../../words/mail-rules.ts';
import { blockedQuery } from './queries.ts';

/** The senders whose mail goes to Junk. */
export function BlockedSection() {
  const t = useWords(mailRuleWords);
  const mayBlock = can(useCurrentUser(), blockSender);
  const { data, error, refetch } = useQuery(blockedQuery);
  return (
    <Section title={t.blockedTitle} hint={t.blockedHint}>
      <RecordList
        label={t.blockedTitle}
        rows={data}
        error={error}
        empty={mayBlock ? t.blockedNone : t.blockedNoneOnly}
        onRetry={() => void refetch()}
        renderRow={(sender) => <BlockedRow key={sender._id} sender={sender} />}
      />
    </Section>
  );
}

function BlockedRow({ sender: { _id: id, address, createdAt } }: { sender: BlockedSenderDto }) {
  const t = useWords(mailRuleWords);
  const client = useQueryClient();
  const mayUnblock = can(useCurrentUser(), unblockSender);
  const remove = useMutation({
    mutationFn: () => api(unblockSender, { params: { id } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: blockedQuery.queryKey });
      notify.success(t.unblocked({ address }));
    },
    onError: notify.error,
  });
  return (
    <RecordRow
      title={address}
      details={[t.since({ time: fullDate(createdAt) })]}
      actions={
        mayUnblock && (
          <Button
            size="small"
            aria-label={t.unblockNamed({ address })}
            disabledFocusable={remove.isPending}
            onClick={() => remove.isPending || remove.mutate()}
          >
            {remove.isPending ? t.unblocking : t.unblock}
          </Button>
        )
      }
    />
  );
}
