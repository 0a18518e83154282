import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { PeopleRegular } from '@fluentui/react-icons/svg/people';
import { PersonRegular } from '@fluentui/react-icons/svg/person';
import { VisuallyHidden } from '../../../components/VisuallyHidden.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { onNarrow } from '../../../theme/breakpoints.ts';
import { oneLine } from '../../../theme/styles.ts';
import { recipientWords } from '../../../words/compose.ts';
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
    // as wide as the screen: beside the name of the field there is little room
    [onNarrow]: { left: '-68px', right: 'auto', width: 'calc(100vw - 24px)' },
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
  alone: { color: tokens.colorNeutralForeground1 },
});

interface Props {
  id: string;
  suggestions: Suggestions;
}

/** The people that a field of recipients offers, below it. */
export function SuggestionList({ id, suggestions: { people, active, take } }: Props) {
  const styles = useStyles();
  const t = useWords(recipientWords);
  return (
    <div id={id} className={styles.list} role="listbox" aria-label={t.suggestions}>
      {people.map((person, index) => (
        <div
          key={person.address}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
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
              {person.name}
            </span>
          )}
          <span className={mergeClasses(styles.address, person.name === '' && styles.alone)}>{person.address}</span>
        </div>
      ))}
    </div>
  );
}
