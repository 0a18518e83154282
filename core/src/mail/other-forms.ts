import type { TreeNode } from './mime-reader.ts';

const encrypted = 'multipart/encrypted';

/** What a report has for programs (RFC 8098, 6533) beside the same in words. */
const forPrograms = new Set([
  'message/disposition-notification',
  'message/global-disposition-notification',
  'message/global-delivery-status',
]);

/**
 * The parts that say in a form that is not shown what the message says in words beside them: AMP or
 * enriched text of an alternative, and the fields of a report. As files they would be none to their
 * reader.
 */
export function findOtherForms(node: TreeNode): TreeNode[] {
  const within = node.children.flatMap(findOtherForms);
  const isOther = otherFormsOf.get(node.contentType || '');
  if (!isOther || !(node.contentType === encrypted || node.children.some(hasWords))) return within;
  return [...within, ...node.children.filter((child) => isUnnamed(child) && isOther(child.contentType || ''))];
}

/** By the type of a multipart, which a stranger chooses: whether a part of it is such a form. */
const otherFormsOf = new Map<string, (contentType: string) => boolean>([
  // An invitation comes as text/calendar, and is read from there
  ['multipart/alternative', (contentType) => contentType.startsWith('text/') && contentType !== 'text/calendar'],
  ['multipart/report', (contentType) => forPrograms.has(contentType)],
  // RFC 3156 4: beside what is encrypted stands the number of a version
  [encrypted, (contentType) => contentType === 'application/pgp-encrypted'],
]);

function hasWords({ isAttachment, textContent, children }: TreeNode): boolean {
  return (!isAttachment && /\S/.test(textContent ?? '')) || children.some(hasWords);
}

/** Says of a file that its sender does not mean it as one. */
function isUnnamed({ isAttachment, node }: TreeNode): boolean {
  return isAttachment === true && !node.filename && node.disposition !== 'attachment';
}
