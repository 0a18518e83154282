import { addImageSender, type ImageSenderDto, removeImageSender } from '@selvage/core/contracts/image-senders';
import { Button } from '@fluentui/react-components';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { notify } from '../../../components/feedback/notify.ts';
import { RecordList, RecordRow } from '../../../components/list/RecordList.tsx';
import { Section } from '../../../components/page/Section.tsx';
import { api } from '../../../lib/api.ts';
import { can } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { fullDate } from '../../../lib/format.ts';
import { useWords } from '../../../lib/i18n.ts';
import { pictureWords } from '../../../words/pictures.ts';
import { imageSendersQuery } from '../queries.ts';

/** The senders whose pictures the person always sees. */
export function PictureSection() {
  const t = useWords(pictureWords);
  const mayAdd = can(useCurrentUser(), addImageSender);
  const { data, error, refetch } = useQuery(imageSendersQuery);
  return (
    <Section title={t.title} hint={t.hint}>
      <RecordList
        label={t.title}
        rows={data}
        error={error}
        empty={mayAdd ? t.none : t.noneOnly}
        onRetry={() => void refetch()}
        renderRow={(sender) => <SenderRow key={sender._id} sender={sender} />}
      />
    </Section>
  );
}

function SenderRow({ sender: { _id: id, address, createdAt } }: { sender: ImageSenderDto }) {
  const t = useWords(pictureWords);
  const client = useQueryClient();
  const mayRemove = can(useCurrentUser(), removeImageSender);
  const remove = useMutation({
    mutationFn: () => api(removeImageSender, { params: { id } }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: imageSendersQuery.queryKey }),
        client.invalidateQueries({ queryKey: ['mail', 'detail'] }),
      ]),
    onError: notify.error,
  });
  return (
    <RecordRow
      title={address}
      details={[t.since({ time: fullDate(createdAt) })]}
      actions={
        mayRemove && (
          <Button
            size="small"
            aria-label={t.removeNamed({ address })}
            disabledFocusable={remove.isPending}
            onClick={() => remove.isPending || remove.mutate()}
          >
            {remove.isPending ? t.removing : t.remove}
          </Button>
        )
      }
    />
  );
}
