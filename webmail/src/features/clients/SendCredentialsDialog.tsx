import { type ClientDto, sendCredentials } from '@selvage/core/contracts/clients';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { clientWords } from '../../words/clients.ts';

/** Mails a client a link to set a password. */
export function SendCredentialsDialog({ client, onClose }: { client: ClientDto; onClose: () => void }) {
  const t = useWords(clientWords);
  const addresses = [...new Set([client.personal_email, client.business_email])];
  const form = useForm({
    start: { email: client.personal_email },
    fallback: t.sendFailed,
    submit: (body) => api(sendCredentials, { params: { id: client._id }, body }),
    onDone: () => {
      notify.success(t.sent);
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t.sendCredentials}
      size="small"
      submitLabel={t.send}
      busyLabel={t.sending}
      onClose={onClose}
    >
      <span>{t.sendText({ name: client.fname })}</span>
      <SelectField
        form={form}
        name="email"
        label={t.sendTo}
        choices={addresses.map((value) => ({ value, label: value }))}
      />
    </FormDialog>
  );
}
