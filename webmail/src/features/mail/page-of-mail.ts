import type { ListOptions } from '../../hooks/use-list-state.ts';
import { readPageSize } from '../../lib/page-sizes.ts';

const pageSizes = [5, 10, 25, 50] as const;
const ROW_PX = 40;
const AROUND_PX = 200;

/** The smallest page size that fills the screen with mail. */
function fittingSize(): number {
  const rows = (window.innerHeight - AROUND_PX) / ROW_PX;
  return pageSizes.find((size) => size >= 10 && size >= rows) ?? 50;
}

/** What all lists of mail have in common: they share the page size that the person has chosen. */
export function mailListOptions(): ListOptions {
  return { name: 'mail', sizes: pageSizes, defaultSize: fittingSize() };
}

/** The page that an address asks for, as the list reads it. */
export function askedPage(search: URLSearchParams): { page: number; limit: number } {
  const limit = Number(search.get('limit')) || readPageSize('mail', pageSizes) || fittingSize();
  return { page: Number(search.get('page')) || 1, limit };
}
