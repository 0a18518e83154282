import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { makeStyles, tokens } from '@fluentui/react-components';
import { BottomBar } from '../../app/shell/BottomBar.tsx';
import { Breadcrumbs } from '../../app/shell/Breadcrumbs.tsx';
import { type NavigationPage, sectionsOf } from '../../app/shell/navigation.ts';
import { SideNavigation } from '../../app/shell/SideNavigation.tsx';
import { TopBar } from '../../app/shell/TopBar.tsx';
import type { NavigationGroup, NavigationIcon } from '../../lib/page.ts';
import { widths } from '../../theme/own-tokens.ts';
import type { PageTitle } from '../../words/pages.ts';
import { Specimen } from '../Specimen.tsx';

const useStyles = makeStyles({
  side: {
    width: widths.navigation,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalS}`,
    boxSizing: 'border-box',
    backgroundColor: tokens.colorNeutralBackground2,
  },
  rail: { width: widths.rail },
  table: { width: '100%', backgroundColor: tokens.colorNeutralBackground2 },
  phone: { width: 'min(390px, 100%)' },
});

/** Pages of each group of the navigation. */
const items: [NavigationGroup, PageTitle, NavigationIcon][] = [
  ['top', 'home', 'home'],
  ['mail', 'inbox', 'inbox'],
  ['mail', 'starred', 'starred'],
  ['mail', 'sent', 'sent'],
  ['mail', 'archive', 'archive'],
  ['mail', 'junk', 'junk'],
  ['mail', 'draft', 'draft'],
  ['mail', 'trash', 'trash'],
  ['mail', 'backup', 'backup'],
  ['organisation', 'users', 'users'],
  ['organisation', 'roles', 'roles'],
  ['organisation', 'companies', 'companies'],
  ['organisation', 'domains', 'domains'],
  ['host', 'clients', 'clients'],
  ['host', 'modules', 'modules'],
];

const unread = (): React.ReactNode => <span>1,204</span>;
const pages = items.map(
  ([group, title, icon], order): NavigationPage => ({
    path: `/dashboard/${icon}`,
    frame: 'shell',
    title,
    load: () => Promise.reject(new Error('The gallery opens no pages')),
    navigation: { group, order, icon },
    Badge: icon === 'inbox' ? unread : undefined,
    Below: undefined,
  }),
);
const sections = sectionsOf(pages);
const mailOnly = sectionsOf(pages.filter(({ navigation }) => navigation.group === 'mail'));

const admin: CurrentUserDto = {
  _id: '1',
  fname: 'Ana',
  lname: 'Test',
  email: 'ana@mill.test',
  role_id: { _id: '1', role_id: 0, role_name: 'Super Admin' },
  company_id: { _id: '1', name: 'Ambika Mills', email: 'office@mill.test', is_provider: false },
  permissions: [{ model: 'accountsettings', view: true, create: true, edit: true, delete: true }],
  avatar: null,
  designation: null,
  bio: null,
  country: null,
  phone_number: null,
  active_status: true,
  domain_id: null,
  recovery_email: null,
  forward_to: null,
  forward_confirmed: false,
  forward_filtered: false,
  vacation_on: false,
  recovery_email_confirmed: false,
  recovery_email_in_force: null,
  recovery_email_lapsed: false,
  aliases: [],
  twoFactorStatus: false,
  recovery_codes_left: 0,
  signature_new_emails_use: null,
  signature_reply_forward_emails_use: null,
  undo_ms: 3500,
  choices: {},
  required_data: false,
  password_change_required: false,
  two_factor_due: null,
  token_version: 1,
  session_id: '1',
  version: 1,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
};

const nothing = (): void => undefined;
const unfolded = { folded: [], isRail: false, toggleGroup: nothing, toggleRail: nothing };

export function Navigation() {
  const styles = useStyles();
  const here = '/dashboard/inbox';
  return (
    <>
      <Specimen title="The top bar" shape="screen" path={here}>
        <div className={styles.table}>
          <TopBar user={admin} onMenu={nothing} isMenuFolded={false} />
        </div>
      </Specimen>
      <Specimen title="Where a person is" path="/dashboard/accountsettings">
        <Breadcrumbs />
      </Specimen>
      <Specimen title="All headings open, two folded, a rail, mail alone" shape="top" path={here}>
        <div className={styles.side}>
          <SideNavigation sections={sections} state={unfolded} />
        </div>
        <div className={styles.side}>
          <SideNavigation sections={sections} state={{ ...unfolded, folded: ['organisation', 'host'] }} />
        </div>
        <div className={styles.rail}>
          <SideNavigation sections={sections} state={unfolded} isRail />
        </div>
        <div className={styles.side}>
          <SideNavigation sections={mailOnly} state={unfolded} />
        </div>
      </Specimen>
      <Specimen title="The bottom bar, of an administrator and of a person with mail alone" path={here}>
        <div className={styles.phone}>
          <BottomBar sections={sections} onMenu={nothing} />
        </div>
        <div className={styles.phone}>
          <BottomBar sections={mailOnly} onMenu={nothing} />
        </div>
      </Specimen>
    </>
  );
}
