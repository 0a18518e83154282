import { domainOf } from '@selvage/core/mail/address-rules';
import { blockSender, unblockSender } from '@selvage/core/contracts/mail-rules';
import { useQueryClient } from '@tanstack/react-query';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { mailRuleWords } from '../../words/mail-rules.ts';
import { blockedQuery } from './queries.ts';

/** Asks whom to block: the sender of a message, or everyone at their domain. */
export default function BlockDialog({ address, onClose }: { address: string; onClose: () => void }) {
  const t = useWords(mailRuleWords);
  const client = useQueryClient();
  const user = useCurrentUser();
  const domain = domainOf(address.toLowerCase());
  const isColleague = domain === domainOf(user?.email.toLowerCase() ?? '');
  const refresh = () => client.invalidateQueries({ queryKey: blockedQuery.queryKey });
  const form = useForm({
    start: { address },
    submit: (values) => api(blockSender, { body: values }),
    onDone: ({ _id: id, address: blocked }) => {
      const undo = async (): Promise<void> => {
        await api(unblockSender, { params: { id } }).then(
          () => notify.success(t.unblocked({ address: blocked })),
          notify.error,
        );
        await refresh();
      };
      const action = { label: t.undo, run: () => void undo(), isUndo: true } as const;
      notify.success(t.blocked({ address: blocked }), can(user, unblockSender) ? action : undefined);
      void refresh();
      onClose();
    },
  });
  const choices = [
    { value: address, label: t.onlyAddress({ address }) },
    ...(isColleague ? [] : [{ value: domain, label: t.wholeDomain({ domain }) }]),
  ];
  return (
    <FormDialog
      form={form}
      size="small"
      title={t.blockTitle({ address })}
      submitLabel={t.blockIt}
      busyLabel={t.blocking}
      onClose={onClose}
    >
      <span>{t.blockText}</span>
      <SelectField form={form} name="address" label={t.blockWhom} choices={choices} />
    </FormDialog>
  );
}
