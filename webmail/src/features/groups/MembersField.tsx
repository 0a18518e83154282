import { nameOrAddress } from '@selvage/core/contracts/full-name';
import type { UserDto } from '@selvage/core/contracts/users';
import { Field, makeStyles, Text, tokens } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { useRef } from 'react';
import { fieldProblem } from '../../components/form/field-problem.ts';
import { RecordPicker } from '../../components/form/RecordPicker.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { followFocus } from '../../hooks/use-focus-return.ts';
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

interface Props {
  /** The form's field at which a problem with the people is shown. */
  name: string;
  members: Member[];
  onAdd: (person: Member) => void;
  onDrop: (person: Member) => void;
  problem: string | undefined;
  /** People of this company can be chosen; empty while none is chosen. */
  companyId: string;
}

/** The people of a group: found by typing, and taken out again. */
export function MembersField({ name, members, onAdd, onDrop, problem, companyId }: Props) {
  const t = useWords(groupWords);
  const fieldRef = useRef<HTMLDivElement>(null);
  const drop = (person: Member): void => {
    // No other row takes the focus
    if (members.length === 1) fieldRef.current?.querySelector('input')?.focus();
    onDrop(person);
  };
  return (
    <>
      <Field ref={fieldRef} label={t.people} {...fieldProblem(problem)}>
        <RecordPicker
          records={peopleOf(companyId)}
          name={name}
          value=""
          placeholder={companyId ? t.addPerson : t.chooseCompany}
          isDisabled={!companyId}
          onPick={(id, person) => {
            if (person && members.every(({ _id }) => _id !== id)) onAdd(person);
          }}
        />
      </Field>
      <MemberList members={members} onDrop={drop} />
    </>
  );
}

function MemberList({ members, onDrop }: Pick<Props, 'members' | 'onDrop'>) {
  const styles = useStyles();
  const t = useWords(groupWords);
  if (members.length === 0) return <Text className={styles.quiet}>{t.noPeople}</Text>;
  return (
    <>
      <Text className={styles.quiet}>{t.chosen(members.length)}</Text>
      <ul className={styles.list} aria-label={t.people} onClick={followFocus}>
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
              onClick={() => onDrop(member)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
