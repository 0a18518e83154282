import { nameOrAddress } from '@selvage/core/contracts/full-name';
import { domainOf } from '@selvage/core/mail/address-rules';
import { type AliasDto, createAlias, listAliases, removeAlias } from '@selvage/core/contracts/aliases';
import { type UserDto, username } from '@selvage/core/contracts/users';
import { Button } from '@fluentui/react-components';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { DeleteDialog } from '../../components/dialog/DeleteDialog.tsx';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { FieldPair, TextField } from '../../components/form/fields.tsx';
import { RecordList, RecordRow } from '../../components/list/RecordList.tsx';
import { Section } from '../../components/page/Section.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { can } from '../../lib/can.ts';
import { asUsername } from '../../lib/clean.ts';
import { choicesQuery } from '../../lib/company-choices.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { fullDay } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { actOnRecord } from '../../lib/record-calls.ts';
import { recordKey, usersKey } from '../../lib/record-keys.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { userWords } from '../../words/users.ts';

const aliasesQuery = (id: string) =>
  queryOptions({
    queryKey: [...recordKey(usersKey, id), 'aliases'],
    queryFn: ({ signal }) => api(listAliases, { params: { id }, signal }),
  });

type Open = { kind: 'add' } | { kind: 'remove'; alias: AliasDto } | null;

/** The further addresses of a user. */
export function UserAliases({ user }: { user: UserDto }) {
  const t = useWords(userWords);
  const { data, error, refetch } = useQuery(aliasesQuery(user._id));
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  const mayChange = useMayChange(user);
  return (
    <Section
      title={t.aliases}
      action={mayChange && <Button onClick={() => setOpen({ kind: 'add' })}>{t.addAlias}</Button>}
    >
      <RecordList
        label={t.aliases}
        rows={data}
        error={error}
        empty={t.noAliases}
        onRetry={() => void refetch()}
        renderRow={(alias) => (
          <RecordRow
            key={alias._id}
            title={shownAddress(alias.address)}
            details={[t.aliasSince({ day: fullDay(alias.createdAt) })]}
            actions={
              mayChange && (
                <Button
                  size="small"
                  aria-label={t.removeAliasOf({ address: shownAddress(alias.address) })}
                  onClick={() => setOpen({ kind: 'remove', alias })}
                >
                  {t.removeAlias}
                </Button>
              )
            }
          />
        )}
      />
      {open?.kind === 'add' && <AddAliasDialog user={user} onClose={close} />}
      {open?.kind === 'remove' && <RemoveAliasDialog alias={open.alias} onClose={close} />}
    </Section>
  );
}

/**
 * People may change their own aliases as well. `abilities` only rules out changes that could lock
 * them out.
 */
function useMayChange(user: UserDto): boolean {
  const me = useCurrentUser();
  return user.abilities.edit || (me?._id === user._id && can(me, createAlias));
}

function AddAliasDialog({ user, onClose }: { user: UserDto; onClose: () => void }) {
  const t = useWords(userWords);
  const { create, creating } = useWords(dialogWords);
  const tellChanged = useChanged(usersKey);
  const { data: choices, error } = useQuery(choicesQuery(user.company_id._id));
  const own = domainOf(user.email);
  const form = useForm({
    start: { username: '', domain: own },
    schema: z.object({ username, domain: z.string().min(1, t.chooseDomain) }),
    submit: ({ username: local, domain }) =>
      api(createAlias, { params: { id: user._id }, body: { address: `${local}@${domain}` } }),
    fieldNames: { address: 'username' },
    onDone: () => tellChanged(t.aliasAdded).then(onClose),
  });
  // The person's own domain is there before the others have come
  const domains = choices?.domains.map(({ domain_name: name }) => name) ?? [own];
  return (
    <FormDialog form={form} title={t.addAlias} submitLabel={create} busyLabel={creating} onClose={onClose}>
      <FieldPair>
        <TextField
          form={form}
          name="username"
          label={t.username}
          hint={t.aliasHint({ name: nameOrAddress(user) })}
          {...asUsername}
          isRequired
        />
        <SelectField
          form={form}
          name="domain"
          label={t.domain}
          placeholder={t.chooseDomain}
          choices={domains.map((name) => ({ value: name, label: shownAddress(name) }))}
          failure={choices ? null : error}
          isRequired
        />
      </FieldPair>
    </FormDialog>
  );
}

function RemoveAliasDialog({ alias, onClose }: { alias: AliasDto; onClose: () => void }) {
  const t = useWords(userWords);
  const tellChanged = useChanged(usersKey);
  const remove = () => actOnRecord({ call: removeAlias, id: alias._id, said: t.aliasRemoved, tellChanged });
  const text = t.removeAliasText({ address: shownAddress(alias.address) });
  return <DeleteDialog title={t.removeAliasTitle} text={text} onDelete={remove} onClose={onClose} />;
}
