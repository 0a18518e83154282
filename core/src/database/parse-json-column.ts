/**
 * The value of a column of JSON. MariaDB keeps JSON as text; MySQL has a type for it, which the
 * driver has parsed already.
 */
export function parseJsonColumn<T>(column: T | string): T {
  return (typeof column === 'string' ? JSON.parse(column) : column) as T;
}
