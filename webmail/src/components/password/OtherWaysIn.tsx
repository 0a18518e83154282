import type { AppPasswordDto } from '@selvage/core/contracts/account';
import type { PasskeyDto } from '@selvage/core/contracts/two-factor';
import { Checkbox, makeStyles, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import type { FieldForm } from '../../hooks/use-form.ts';
import { choose } from '../form/fields.tsx';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { appPasswordsQuery, lastUse, passkeysQuery } from '../../lib/ways-in.ts';
import { changePasswordWords } from '../../words/change-password.ts';
import { RetryMessage } from '../form/RetryMessage.tsx';

const useStyles = makeStyles({
  group: {
    display: 'flex',
    flexDirection: 'column',
    minWidth: 0,
    margin: 0,
    padding: 0,
    border: 'none',
    '& legend': { padding: 0 },
  },
  hint: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  // Moves the box by its own margin, so that it begins where the labels of the fields do
  box: { marginLeft: `calc(-1 * ${tokens.spacingHorizontalS})` },
});

/** Ids of what ends together with the old password. */
export type AlsoEnded = { end_app_passwords: string[]; end_passkeys: string[] };

interface WayIn {
  list: keyof AlsoEnded;
  id: string;
  label: string;
}

/**
 * App passwords and passkeys outlive a password. A person who changes it because an attacker may
 * know it sees them here, and can end them in the same step.
 */
export function OtherWaysIn({ form }: { form: FieldForm<AlsoEnded> }) {
  const styles = useStyles();
  const t = useWords(changePasswordWords);
  const appPasswords = useQuery(appPasswordsQuery);
  const passkeys = useQuery(passkeysQuery);
  // A list that comes later would move the boxes away under the pointer
  if (appPasswords.isPending || passkeys.isPending) return null;
  const ways = waysIn(appPasswords.data ?? [], passkeys.data ?? []);
  const missing = [appPasswords, passkeys].filter(({ data }) => data === undefined);
  if (ways.length === 0 && missing.length === 0) return null;
  const toggle = ({ list, id }: WayIn, isTicked: boolean): void => {
    const others = form.values[list].filter((other) => other !== id);
    choose(form, list, isTicked ? [...others, id] : others);
  };
  return (
    <fieldset className={styles.group}>
      <legend>{t.otherWays}</legend>
      {ways.length > 0 && <span className={styles.hint}>{t.otherWaysHint}</span>}
      {ways.map((way) => (
        <Checkbox
          key={`${way.list} ${way.id}`}
          className={styles.box}
          label={way.label}
          checked={form.values[way.list].includes(way.id)}
          onChange={(_event, { checked }) => toggle(way, checked === true)}
        />
      ))}
      {missing.length > 0 && (
        <RetryMessage
          intent="warning"
          text={t.otherWaysFailed}
          onRetry={() => missing.forEach(({ refetch }) => void refetch())}
        />
      )}
    </fieldset>
  );
}

function waysIn(appPasswords: AppPasswordDto[], passkeys: PasskeyDto[]): WayIn[] {
  const t = wordsOf(changePasswordWords);
  return [
    ...appPasswords.map(({ _id: id, app_name: name, last_used: when }) => ({
      list: 'end_app_passwords' as const,
      id,
      label: t.appPassword({ name, used: lastUse(when) }),
    })),
    ...passkeys.map(({ _id: id, passkey_name: name, last_used: when }) => ({
      list: 'end_passkeys' as const,
      id,
      label: t.passkey({ name, used: lastUse(when) }),
    })),
  ];
}
