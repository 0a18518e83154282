import { groupChange, type GroupDetailDto, updateGroup } from '@selvage/core/contracts/groups';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { DialogFrame } from '../../components/dialog/DialogFrame.tsx';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { InfoDialog } from '../../components/dialog/InfoDialog.tsx';
import { Bar, Placeholder } from '../../components/feedback/Placeholder.tsx';
import { SwitchField } from '../../components/form/choice-fields.tsx';
import { choose, TextField } from '../../components/form/fields.tsx';
import { Facts } from '../../components/page/Facts.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { useFocusReturn } from '../../hooks/use-focus-return.ts';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { useWords } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { feedbackWords } from '../../words/feedback.ts';
import { formWords } from '../../words/forms.ts';
import { groupWords } from '../../words/groups.ts';
import { addMember, chosenMembers, dropMember, type MemberValues } from './member-changes.ts';
import { type Member, MembersField } from './MembersField.tsx';
import { groupQuery, groupsKey } from './queries.ts';

const useStyles = makeStyles({
  bars: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM },
});

/** Opens a group, whose people the list does not have, to change it. */
export function EditGroupDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords(groupWords);
  const { ok } = useWords(dialogWords);
  // The form's dialog replaces the loading dialog, and would give the focus back to that one alone
  useFocusReturn();
  const { data, error } = useQuery(groupQuery(id));
  if (data) return <GroupForm group={data} onClose={onClose} />;
  if (!error) return <LoadingDialog onClose={onClose} />;
  return (
    <InfoDialog title={t.failed} doneLabel={ok} onClose={onClose}>
      {messageOf(error)}
    </InfoDialog>
  );
}

function LoadingDialog({ onClose }: { onClose: () => void }) {
  const styles = useStyles();
  const { edit } = useWords(groupWords);
  const { cancel } = useWords(dialogWords);
  const { loading } = useWords(feedbackWords);
  return (
    <DialogFrame title={edit} onClose={onClose} actions={<Button onClick={onClose}>{cancel}</Button>}>
      <Placeholder label={loading} className={styles.bars}>
        <Bar height={32} />
        <Bar height={32} />
      </Placeholder>
    </DialogFrame>
  );
}

function valuesOf({ name, active_status, members }: GroupDetailDto) {
  const unchanged: MemberValues = { members, added: [], removed: [] };
  return { name, active_status, ...unchanged };
}

const idsOf = (people: Member[]): string[] => people.map(({ _id }) => _id);

/** Renames a group, changes its people, or switches it on or off. Company and address stay. */
function GroupForm({ group, onClose }: { group: GroupDetailDto; onClose: () => void }) {
  const t = useWords(groupWords);
  const { save, saving } = useWords(formWords);
  const { unsaved } = useWords(dialogWords);
  const tellChanged = useChanged(groupsKey);
  const form = useForm({
    start: valuesOf(group),
    schema: groupChange.pick({ name: true, active_status: true }),
    submit: ({ name, active_status, added, removed }, version) =>
      api(updateGroup, {
        params: { id: group._id },
        body: { name, active_status, add_members: idsOf(added), remove_members: idsOf(removed), version },
      }),
    version: group.version,
    fieldNames: { add_members: 'added', remove_members: 'added' },
    fieldLabels: { members: t.people },
    fromConflict: (current) => {
      const theirs = current as GroupDetailDto;
      return { values: valuesOf(theirs), version: theirs.version };
    },
    keepAs: { key: `group ${group._id}`, name: unsaved({ title: t.edit }) },
    onDone: () => tellChanged(t.updated).then(onClose),
  });
  const setMembers = ({ added, removed }: Omit<MemberValues, 'members'>): void => {
    choose(form, 'added', added);
    choose(form, 'removed', removed);
  };
  return (
    <FormDialog form={form} title={t.edit} submitLabel={save} busyLabel={saving} onClose={onClose}>
      <TextField form={form} name="name" label={t.name} maxLength={100} isRequired />
      <MembersField
        name="added"
        members={chosenMembers(form.values)}
        onAdd={(person) => setMembers(addMember(form.values, person))}
        onDrop={(person) => setMembers(dropMember(form.values, person))}
        problem={form.problems['added']}
        companyId={group.company_id._id}
      />
      <SwitchField form={form} name="active_status" label={t.isActive} hint={t.isActiveHint} />
      <Facts
        rows={[
          [t.address, shownAddress(group.address)],
          [t.company, group.company_id.name],
        ]}
      />
    </FormDialog>
  );
}
