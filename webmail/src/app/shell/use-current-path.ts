import { useLocation } from 'react-router-dom';
import { originOf } from '../../lib/origin.ts';

/** The path of the open page, or of the list from which its record was opened. */
export function useCurrentPath(): string {
  const location = useLocation();
  const [path = ''] = (originOf(location) ?? location.pathname).split('?');
  return path.split('/').slice(0, 3).join('/');
}
