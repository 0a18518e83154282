import { type SignatureDto, setSignaturePreferences } from '@selvage/core/contracts/signatures';
import { Field, makeStyles, Select, tokens } from '@fluentui/react-components';
import { api } from '../../../lib/api.ts';
import { can } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords, wordsOf } from '../../../lib/i18n.ts';
import { signatureWords } from '../../../words/signatures.ts';
import { useOwnChoice } from '../use-own-choice.ts';
import { Section } from '../../../components/page/Section.tsx';

const useStyles = makeStyles({
  fields: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(220px, 100%), 1fr))',
    gap: tokens.spacingHorizontalL,
  },
  field: { minWidth: 0 },
  // Long names are cut rather than widening it
  select: { width: '100%', minWidth: 0, textOverflow: 'ellipsis' },
});

const uses = ['signature_new_emails_use', 'signature_reply_forward_emails_use'] as const;
type Use = (typeof uses)[number];

/** Which signature a message begins with. A choice is saved at once. */
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

interface Choice {
  use: Use;
  id: string;
}

function useChoose(signatures: SignatureDto[]) {
  return useOwnChoice<Choice>({
    call: ({ use, id }) => api(setSignaturePreferences, { body: { [use]: id } }),
    fieldsOf: ({ use, id }) => ({ [use]: signatures.find((signature) => signature._id === id) ?? null }),
    saidOf: ({ use }) => {
      const t = wordsOf(signatureWords);
      return use === 'signature_new_emails_use' ? t.savedForNew : t.savedForReplies;
    },
  });
}
