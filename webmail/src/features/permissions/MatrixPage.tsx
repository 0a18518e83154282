import { makeStyles, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { Page } from '../../components/page/Page.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { useWords } from '../../lib/i18n.ts';
import { originOf } from '../../lib/origin.ts';
import { matrixWords } from '../../words/permission-matrix.ts';
import { recordWords } from '../../words/records.ts';
import { PermissionMatrix } from './PermissionMatrix.tsx';
import type { MatrixSubject } from '../../lib/record-keys.ts';
import { matrixQuery } from './queries.ts';

const useStyles = makeStyles({ quiet: { color: tokens.colorNeutralForeground2, overflowWrap: 'anywhere' } });

/** The matrix of a role or of a person as a screen of its own. */
export function MatrixPage({ subject }: { subject: MatrixSubject }) {
  const styles = useStyles();
  const t = useWords(matrixWords);
  const { goBack } = useWords(recordWords);
  const place = useLocation();
  const { data } = useQuery(matrixQuery(subject));
  const { name, role, company_id: company } = data?.subject ?? {};
  const about =
    subject.kind === 'user' && role ? t.roleOf({ role: role.role_name, company: company?.name ?? '' }) : null;
  return (
    <Page
      title={name === undefined ? t.tableLabel : t.title({ name })}
      aside={<span className={styles.quiet}>{about ?? company?.name}</span>}
      actions={<TextLink to={originOf(place) ?? `/dashboard/${subject.kind}`}>{goBack}</TextLink>}
    >
      <PermissionMatrix subject={subject} />
    </Page>
  );
}
