import { useLocation, useNavigate } from 'react-router-dom';
import { useWords } from '../../lib/i18n.ts';
import { fromHere } from '../../lib/origin.ts';
import { recordWords } from '../../words/records.ts';
import type { RowAction } from './columns.ts';

/**
 * The entry of a row's menu that leads to the record's page, as the row itself does. The page leads
 * back to this list.
 */
export function useViewAction(): (path: string) => RowAction {
  const { view } = useWords(recordWords);
  const navigate = useNavigate();
  const place = useLocation();
  return (path) => ({ label: view, run: () => void navigate(path, { state: fromHere(place) }) });
}
