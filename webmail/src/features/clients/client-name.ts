import type { ClientDto } from '@selvage/core/contracts/clients';

/** First and last name. */
export function nameOfClient({ fname, lname }: Pick<ClientDto, 'fname' | 'lname'>): string {
  return `${fname} ${lname ?? ''}`.trim();
}
