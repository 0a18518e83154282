import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { type ChoicesDto, saveChoices } from '@selvage/core/contracts/choices';
import { api } from '../lib/api.ts';
import { ApiError } from '../lib/api-error.ts';
import { freshChoices } from '../lib/choices.ts';
import { furtherStorageKeys } from '../lib/further-storage-keys.ts';
import { currentUserKey, queryClient } from '../lib/query-client.ts';
import { askBeforeLogout } from '../lib/request-logout.ts';
import { currentSubject } from '../lib/session.ts';
import { unsavedChoices } from '../lib/take-choices.ts';

/** Choices made within this time are saved in one call, such as when a person tries several out. */
const TOGETHER_MS = 1_000;
/** The longest that a logout waits for a save. Logging out must work without the server too. */
const LOGOUT_WAIT_MS = 3_000;

function store(unsaved: ChoicesDto): void {
  if (Object.keys(unsaved).length === 0) localStorage.removeItem(furtherStorageKeys.unsavedChoices);
  else localStorage.setItem(furtherStorageKeys.unsavedChoices, JSON.stringify(unsaved));
}

let saving: Promise<void> | null = null;

/**
 * Saves the choices that the server does not know yet. After a failure, the next change or the next
 * opening of the app saves them.
 */
async function save(): Promise<void> {
  await saving;
  const told = unsavedChoices();
  const person = currentSubject();
  if (Object.keys(told).length === 0 || person === null) return;
  saving = tell(told, person).finally(() => {
    saving = null;
  });
  await saving;
}

async function tell(told: ChoicesDto, person: string): Promise<void> {
  try {
    const kept = await api(saveChoices, { body: told, as: person });
    // Another person may have logged in, whose choices this browser has by now
    if (currentSubject() !== person) return;
    forget(told);
    localStorage.setItem(furtherStorageKeys.choices, JSON.stringify(kept));
    // An answer that is still on its way was made before this save
    await queryClient.cancelQueries({ queryKey: currentUserKey });
    queryClient.setQueryData<CurrentUserDto>(currentUserKey, (user) => user && { ...user, choices: kept });
  } catch (error) {
    // A choice that only a newer version of the app knows would be refused for ever
    if (error instanceof ApiError && error.status === 422) forget(told);
  }
}

/**
 * Forgets choices that the server has saved or refused, unless the person has changed them
 * meanwhile.
 */
function forget(told: ChoicesDto): void {
  const entries = Object.entries(unsavedChoices());
  const isNew = ([name, value]: [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify(told[name as keyof ChoicesDto]);
  store(Object.fromEntries(entries.filter(isNew)));
}

/**
 * Keeps the server informed of what the logged-in person chooses, until the returned function is
 * called.
 */
export function keepChoicesSaved(): () => void {
  let timer = 0;
  const later = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void save(), TOGETHER_MS);
  };
  const unsubscribe = freshChoices.subscribe((fresh) => {
    if (Object.keys(fresh).length === 0) return;
    store(unsavedChoices());
    freshChoices.set({});
    later();
  });
  const saveNow = (): void => {
    if (document.visibilityState === 'hidden') void save();
  };
  document.addEventListener('visibilitychange', saveNow);
  const letGo = askBeforeLogout(async () => {
    await Promise.race([save(), new Promise((resolve) => setTimeout(resolve, LOGOUT_WAIT_MS))]);
    return true;
  });
  later();
  return () => {
    clearTimeout(timer);
    unsubscribe();
    document.removeEventListener('visibilitychange', saveNow);
    letGo();
  };
}
