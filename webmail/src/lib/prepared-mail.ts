import { atom } from 'nanostores';

/** A message that a page or a link has begun for a person. */
export interface PreparedMail {
  /** Addresses; unless given, the person says to whom it goes. */
  to?: string[];
  cc?: string[];
  subject: string;
  /** Plain text. */
  text: string;
}

/** What a page wants to be opened to write; the mail screens take it from here. */
export const preparedMail = atom<PreparedMail | null>(null);
