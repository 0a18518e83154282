import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { type DomainHealthDto, healthLevels, listDomainHealth } from '@selvage/core/contracts/domain-guard';
import { makeStyles, tokens } from '@fluentui/react-components';
import { type Column, TIME_WIDTH } from '../../components/list/columns.ts';
import { choicesOf } from '../../lib/choices-of.ts';
import { ListScreen } from '../../components/list/ListScreen.tsx';
import type { FilterField } from '../../components/list/ListToolbar.tsx';
import { companyColumns, companyFilters } from '../../components/list/company-parts.tsx';
import { useCurrentUser } from '../../lib/current-user.ts';
import { fullDate } from '../../lib/format.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { domainsKey } from '../../lib/record-keys.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { domainGuardWords } from '../../words/domain-guard.ts';
import { domainWords } from '../../words/domains.ts';
import { DomainLinks } from './DomainLinks.tsx';
import { HealthState, healthInWords } from './HealthState.tsx';

const useStyles = makeStyles({
  quiet: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  stack: { display: 'flex', flexDirection: 'column', minWidth: 0, whiteSpace: 'normal', overflowWrap: 'anywhere' },
});

const nameOf = ({ domain_name: name }: DomainHealthDto): string => shownAddress(name);
const pathOf = ({ _id }: DomainHealthDto): string => `/dashboard/domain/${_id}?tab=check`;
const problemsInWords = ({ problems }: DomainHealthDto): string => problems.map(({ text }) => text).join(' ');

/** The worst problem of a domain, and how many there are beside it. */
function Problems({ domain: { problems, checked_at: at } }: { domain: DomainHealthDto }) {
  const styles = useStyles();
  const t = useWords(domainGuardWords);
  const first = problems.find(({ level }) => level === 'error') ?? problems[0];
  if (!first) return at === null ? null : t.nothingWrong;
  return (
    <span className={styles.stack}>
      <span>{first.text}</span>
      {problems.length > 1 && <span className={styles.quiet}>{t.more(problems.length - 1)}</span>}
    </span>
  );
}

function columns(caller: CurrentUserDto | undefined): Column<DomainHealthDto>[] {
  const t = wordsOf(domainGuardWords);
  const { domain, companyName } = wordsOf(domainWords);
  const dateOf = ({ checked_at: at }: DomainHealthDto): string => (at === null ? '' : fullDate(at));
  return [
    { id: 'domain_name', title: domain, cell: nameOf, text: nameOf, width: '20%' },
    ...companyColumns<DomainHealthDto>(caller, companyName),
    { id: 'health', title: t.state, cell: (row) => <HealthState domain={row} />, text: healthInWords, width: '130px' },
    { id: 'problems', title: t.whatIsWrong, cell: (row) => <Problems domain={row} />, text: problemsInWords },
    { id: 'checked_at', title: t.checked, cell: dateOf, text: dateOf, width: TIME_WIDTH },
  ];
}

function healthFilter(): FilterField {
  const t = wordsOf(domainGuardWords);
  return { name: 'health', label: t.level, choices: choicesOf(healthLevels, t) };
}

/** All domains by the state of their DNS, the worst first. */
export default function HealthPage() {
  const t = useWords(domainGuardWords);
  const { company } = useWords(domainWords);
  const caller = useCurrentUser();
  return (
    <ListScreen
      title={t.title}
      endpoint={listDomainHealth}
      queryKey={[...domainsKey, 'list', 'health']}
      header={<DomainLinks />}
      searchLabel={t.search}
      filters={[...companyFilters(caller, company), healthFilter()]}
      columns={columns(caller)}
      keyOf={({ _id }) => _id}
      nameOf={nameOf}
      linkOf={pathOf}
      exportName="dns-health"
      empty={{ title: t.none, hint: t.hint }}
    />
  );
}
