import { atom } from 'nanostores';

/** A message that a page has written for a person, who says to whom it goes. */
export interface PreparedMail {
  subject: string;
  /** Plain text. */
  text: string;
}

/** What a page wants to be opened to write; the mail screens take it from here. */
export const preparedMail = atom<PreparedMail | null>(null);
