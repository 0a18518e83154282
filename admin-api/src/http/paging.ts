import type { Pagination } from '@selvage/core/contracts/endpoint';

/** The rows of one page, and how many there are in all. */
export interface Page<T> {
  rows: T;
  total: number;
}

/** The position of a page (D8). A page beyond the last one is empty, not an error. */
export function paginationOf(total: number, position: { page: number; limit: number }): Pagination {
  return {
    totalData: total,
    totalPages: Math.ceil(total / position.limit),
    pageNumber: position.page,
    pageSize: position.limit,
  };
}
