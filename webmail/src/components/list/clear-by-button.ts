import type { MouseEvent } from 'react';

/**
 * What a button does that clears the search of a list. The button is removed then: a person at the
 * keyboard goes on in the first field of the search. After a press by mouse it does not get the
 * focus, because on a phone that would open the keyboard.
 */
export const clearByButton =
  (clear: () => void) =>
  ({ currentTarget: button }: MouseEvent<HTMLElement>): void => {
    const field = document.querySelector<HTMLElement>('[data-list-search] :is(input, select)');
    if (button.matches(':focus-visible')) field?.focus();
    clear();
  };
