import type { Member } from './MembersField.tsx';

/**
 * The people of a group in its form: those that it had, and what the person changed about them.
 * After a conflict the changes stay on top of what another person saved.
 */
export interface MemberValues {
  members: Member[];
  added: Member[];
  removed: Member[];
}

/** All of the people but one. */
export const without = (people: Member[], { _id }: Member): Member[] => people.filter((other) => other._id !== _id);
const has = (people: Member[], { _id }: Member): boolean => people.some((other) => other._id === _id);

/** The people that the group has once it is saved. */
export function chosenMembers({ members, added, removed }: MemberValues): Member[] {
  const kept = members.filter((person) => !has(removed, person));
  return [...kept, ...added.filter((person) => !has(kept, person))];
}

/** The changes with this person in the group. */
export function addMember({ members, added, removed }: MemberValues, person: Member): Omit<MemberValues, 'members'> {
  const isNew = !has(members, person) && !has(added, person);
  return { added: isNew ? [...added, person] : added, removed: without(removed, person) };
}

/** The changes with this person out of the group. */
export function dropMember({ members, added, removed }: MemberValues, person: Member): Omit<MemberValues, 'members'> {
  return { added: without(added, person), removed: has(members, person) ? [...removed, person] : removed };
}
