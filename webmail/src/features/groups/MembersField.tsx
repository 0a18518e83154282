import { nameOrAddress } from '@selvage/core/contracts/full-name';
import type { UserDto } from '@selvage/core/contracts/users';
import { Field, makeStyles, Text, tokens } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import type { FieldForm, FormValues } from '../../hooks/use-form.ts';
import { fieldProblem } from '../../components/form/field-problem.ts';
import { RecordPicker } from '../../components/form/RecordPicker.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { useWords } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { groupWords } from '../../words/groups.ts';
import { peopleOf } from './queries.ts';

/** A person of a group, as the form shows them. */
export type Member = Pick<UserDto, '_id' | 'fname' | 'lname' | 'email'>;

const useStyles = makeStyles({
  list: {
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    maxHeight: '240px',
    overflowY: 'auto',
    display: 'flex',
    flexDirection: 'column',
  },
  row: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS },
  words: { flex: '1 1 0', minWidth: 0, overflowWrap: 'anywhere' },
  quiet: { color: tokens.colorNeutralForeground2 },
});

interface Props<V extends FormValues> {
  form: FieldForm<V>;
  /** People of this company can be chosen; empty while none is chosen. */
  companyId: string;
}

/** The people of a group: found by typing, and taken out again. */
export function MembersField<V extends FormValues & { members: Member[] }>({ form, companyId }: Props<V>) {
  const t = useWords(groupWords);
  const { members } = form.values;
  const set = (next: Member[]): void => form.set('members', next);
  const add = (person: Member | undefined): void => {
    if (person && members.every(({ _id }) => _id !== person._id)) set([...members, person]);
  };
  return (
    <>
      <Field label={t.people} {...fieldProblem(form.problems['members'])}>
        <RecordPicker
          records={peopleOf(companyId)}
          name="members"
          value=""
          placeholder={companyId ? t.addPerson : t.chooseCompany}
          isDisabled={!companyId}
          onPick={(_id, person) => add(person)}
        />
      </Field>
      <MemberList members={members} onDrop={(id) => set(members.filter(({ _id }) => _id !== id))} />
    </>
  );
}

function MemberList({ members, onDrop }: { members: Member[]; onDrop: (id: string) => void }) {
  const styles = useStyles();
  const t = useWords(groupWords);
  if (members.length === 0) return <Text className={styles.quiet}>{t.noPeople}</Text>;
  return (
    <>
      <Text className={styles.quiet}>{t.chosen(members.length)}</Text>
      <ul className={styles.list} aria-label={t.people}>
        {members.map((member) => (
          <li key={member._id} className={styles.row}>
            <span className={styles.words}>
              <span dir="auto">{nameOrAddress(member)}</span>{' '}
              <span className={styles.quiet}>{shownAddress(member.email)}</span>
            </span>
            <IconButton
              size="small"
              label={t.drop({ name: nameOrAddress(member) })}
              icon={<DismissRegular />}
              onClick={() => onDrop(member._id)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
