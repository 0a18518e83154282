import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { PeopleRegular } from '@fluentui/react-icons/svg/people';
import { PersonRegular } from '@fluentui/react-icons/svg/person';
import { askedBeginnings, markBeginnings } from '@selvage/core/mail/person-words';
import { VisuallyHidden } from '../../../components/VisuallyHidden.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { onNarrow } from '../../../theme/breakpoints.ts';
import { oneLine } from '../../../theme/styles.ts';
import { recipientWords } from '../../../words/compose.ts';
import { Marked } from '../search/Marked.tsx';
import { isForgettable } from './recipient-suggestions.ts';
import type { Suggestions } from './use-suggestions.ts';

const useStyles = makeStyles({
  list: {
    position: 'absolute',
    top: 'calc(100% + 4px)',
    left: 0,
    right: 0,
    zIndex: 20,
    boxSizing: 'border-box',
    maxWidth: '520px',
    margin: 0,
    padding: tokens.spacingVerticalXS,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    boxShadow: tokens.shadow16,
    // As wide as the screen: beside the name of the field there is little room
    [onNarrow]: { left: '-68px', right: 'auto', width: 'calc(100vw - 32px)' },
  },
  person: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    minHeight: '36px',
    padding: `0 ${tokens.spacingHorizontalS}`,
    borderRadius: tokens.borderRadiusMedium,
    fontSize: tokens.fontSizeBase300,
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
  },
  active: { backgroundColor: tokens.colorNeutralBackground1Selected },
  icon: { display: 'inline-flex', flexShrink: 0, color: tokens.colorNeutralForeground3 },
  name: { flexShrink: 0, maxWidth: '60%', fontWeight: tokens.fontWeightSemibold, ...oneLine },
  address: { minWidth: 0, color: tokens.colorNeutralForeground3, ...oneLine },
  forget: {
    display: 'inline-flex',
    flexShrink: 0,
    marginLeft: 'auto',
    padding: tokens.spacingHorizontalSNudge,
    borderRadius: tokens.borderRadiusMedium,
    color: tokens.colorNeutralForeground3,
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Pressed, color: tokens.colorNeutralForeground1 },
  },
  alone: { color: tokens.colorNeutralForeground1 },
});

interface Props {
  id: string;
  /** The text that was typed. Its words are marked in the suggestions. */
  text: string;
  suggestions: Suggestions;
}

/** The people that a field of recipients offers, below it. */
export function SuggestionList({ id, text, suggestions: { people, active, take, forget } }: Props) {
  const styles = useStyles();
  const t = useWords(recipientWords);
  const beginnings = askedBeginnings(text);
  const marked = (of: string) => <Marked text={of} marks={markBeginnings(of, beginnings)} />;
  return (
    <div id={id} className={styles.list} role="listbox" aria-label={t.suggestions}>
      {people.map((person, index) => (
        <div
          key={person.address}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          aria-keyshortcuts={isForgettable(person) ? 'Shift+Delete' : undefined}
          className={mergeClasses(styles.person, index === active && styles.active)}
          // A press would take the focus from the field, which closes the list before the click
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(person)}
        >
          <span className={styles.icon} aria-hidden>
            {person.kind === 'group' ? <PeopleRegular /> : <PersonRegular />}
          </span>
          {person.kind === 'group' && <VisuallyHidden>{t.group} </VisuallyHidden>}
          {person.name !== '' && (
            <span className={styles.name} dir="auto">
              {marked(person.name)}
            </span>
          )}
          <span className={mergeClasses(styles.address, person.name === '' && styles.alone)}>
            {marked(person.address)}
          </span>
          {isForgettable(person) && (
            // An option may not contain a button, so the keyboard has Shift+Delete instead
            <span
              className={styles.forget}
              aria-hidden
              title={t.forget}
              onClick={(event) => {
                event.stopPropagation();
                forget(person);
              }}
            >
              <DismissRegular />
            </span>
          )}
        </div>
      ))}
    </div>
  );
}
