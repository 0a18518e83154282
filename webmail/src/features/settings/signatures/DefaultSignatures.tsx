import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { type SignatureDto, setSignaturePreferences } from '@selvage/core/contracts/signatures';
import { Field, makeStyles, Select, tokens } from '@fluentui/react-components';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notify } from '../../../components/feedback/notify.ts';
import { api } from '../../../lib/api.ts';
import { can } from '../../../lib/can.ts';
import { currentUserQuery, useCurrentUser } from '../../../lib/current-user.ts';
import { useWords, wordsOf } from '../../../lib/i18n.ts';
import { signatureWords } from '../../../words/signatures.ts';
import { accountKeys } from '../queries.ts';
import { Section } from '../../../components/page/Section.tsx';

const useStyles = makeStyles({
  fields: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(220px, 100%), 1fr))',
    gap: tokens.spacingHorizontalL,
  },
  field: { minWidth: 0 },
  // long names are cut rather than widening it
  select: { width: '100%', minWidth: 0, textOverflow: 'ellipsis' },
});

const uses = ['signature_new_emails_use', 'signature_reply_forward_emails_use'] as const;
type Use = (typeof uses)[number];

/** Which signature a message begins with. Chosen is saved. */
export function DefaultSignatures({ signatures }: { signatures: SignatureDto[] }) {
  const styles = useStyles();
  const t = useWords(signatureWords);
  const user = useCurrentUser();
  const mayChoose = can(user, setSignaturePreferences);
  const choose = useChoose(signatures);
  return (
    <Section title={t.defaults} hint={t.defaultsHint}>
      <div className={styles.fields}>
        {uses.map((use) => (
          <Field
            key={use}
            className={styles.field}
            label={use === 'signature_new_emails_use' ? t.forNew : t.forReplies}
          >
            <Select
              className={styles.field}
              select={{ className: styles.select }}
              disabled={!mayChoose}
              value={user?.[use]?._id ?? ''}
              onChange={(_event, { value }) => choose.mutate({ use, id: value })}
            >
              <option value="">{t.noSignature}</option>
              {signatures.map((signature) => (
                <option key={signature._id} value={signature._id}>
                  {signature.signature_name}
                </option>
              ))}
            </Select>
          </Field>
        ))}
      </div>
    </Section>
  );
}

function useChoose(signatures: SignatureDto[]) {
  const client = useQueryClient();
  const { queryKey } = currentUserQuery;
  return useMutation({
    mutationFn: ({ use, id }: { use: Use; id: string }) => api(setSignaturePreferences, { body: { [use]: id } }),
    onMutate: async ({ use, id }) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<CurrentUserDto>(queryKey);
      const chosen = signatures.find((signature) => signature._id === id) ?? null;
      client.setQueryData<CurrentUserDto>(queryKey, (user) => user && { ...user, [use]: chosen });
      return before;
    },
    onSuccess: (_answer, { use }) => {
      const t = wordsOf(signatureWords);
      notify.success(use === 'signature_new_emails_use' ? t.savedForNew : t.savedForReplies);
    },
    onError: (error, _choice, before) => {
      client.setQueryData(queryKey, before);
      notify.error(error);
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey }),
        client.invalidateQueries({ queryKey: accountKeys.activity }),
      ]),
  });
}
