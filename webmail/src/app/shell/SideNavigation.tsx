import { makeStyles, tokens } from '@fluentui/react-components';
import { ChevronDownRegular } from '@fluentui/react-icons/svg/chevron-down';
import { ChevronRightRegular } from '@fluentui/react-icons/svg/chevron-right';
import { useWords } from '../../lib/i18n.ts';
import type { NavigationGroup } from '../../lib/page.ts';
import { foldHeading } from '../../theme/styles.ts';
import { shellWords } from '../../words/shell.ts';
import type { NavigationSection } from './navigation.ts';
import { NavigationLink } from './NavigationLink.tsx';
import { useCurrentPath } from './use-current-path.ts';
import type { useNavigationState } from './use-navigation-state.ts';

const useStyles = makeStyles({
  sections: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM },
  list: { listStyleType: 'none', margin: 0, padding: 0, display: 'flex', flexDirection: 'column', gap: '1px' },
  heading: { ...foldHeading, width: '100%' },
  rule: { height: '1px', margin: `0 ${tokens.spacingHorizontalS}`, backgroundColor: tokens.colorNeutralStroke2 },
});

interface Props {
  /** The sections that `navigationOf` returns for the person. */
  sections: readonly NavigationSection[];
  state: ReturnType<typeof useNavigationState>;
  /** Shows only icons, with their names as tooltips. */
  isRail?: boolean;
  onNavigate?: (() => void) | undefined;
}

/** The pages that the person may see, under headings that fold and stay folded. */
export function SideNavigation({ sections, state, isRail = false, onNavigate }: Props) {
  const styles = useStyles();
  const t = useWords(shellWords);
  const current = useCurrentPath();
  return (
    <nav aria-label={t.navigation} className={styles.sections}>
      {sections.map(({ group, items }, index) => {
        const isFolded = !isRail && state.folded.includes(group);
        return (
          <div key={group}>
            {isRail
              ? index > 0 && <div className={styles.rule} />
              : hasHeading(group, sections) && (
                  <GroupHeading group={group} isFolded={isFolded} onToggle={() => state.toggleGroup(group)} />
                )}
            {!isFolded && (
              <ul className={styles.list}>
                {items.map((page) => (
                  <li key={page.path}>
                    <NavigationLink
                      page={page}
                      isCurrent={current === page.path}
                      isRail={isRail}
                      onNavigate={onNavigate}
                    />
                  </li>
                ))}
              </ul>
            )}
            {!isRail &&
              !isFolded &&
              items.map(({ path, Below }) => Below && <Below key={path} onNavigate={onNavigate} />)}
          </div>
        );
      })}
    </nav>
  );
}

/** A person who has only mail needs no heading above it. */
function hasHeading(group: NavigationGroup, sections: readonly NavigationSection[]): boolean {
  return group !== 'top' && sections.some((section) => section.group !== 'top' && section.group !== group);
}

interface HeadingProps {
  group: NavigationGroup;
  isFolded: boolean;
  onToggle: () => void;
}

function GroupHeading({ group, isFolded, onToggle }: HeadingProps) {
  const styles = useStyles();
  const t = useWords(shellWords);
  const names: Record<NavigationGroup, string> = {
    top: '',
    mail: t.groupMail,
    organisation: t.groupOrganisation,
    host: t.groupHost,
  };
  return (
    <button type="button" className={styles.heading} aria-expanded={!isFolded} onClick={onToggle}>
      {isFolded ? <ChevronRightRegular /> : <ChevronDownRegular />}
      {names[group]}
    </button>
  );
}
