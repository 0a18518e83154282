import type { TreeNode } from './mime-reader.ts';

const encrypted = 'multipart/encrypted';

/** Parts of a report for programs (RFC 8098, 6533), which also says the same in words. */
const forPrograms = new Set([
  'message/disposition-notification',
  'message/global-disposition-notification',
  'message/global-delivery-status',
]);

/**
 * Finds the parts that repeat the text of the message in a form that is not shown: AMP or enriched
 * text of an alternative, and the fields of a report. They are not listed as files, since they mean
 * nothing to a reader.
 */
export function findOtherForms(node: TreeNode): TreeNode[] {
  const within = node.children.flatMap(findOtherForms);
  const isOther = otherFormsOf.get(node.contentType || '');
  if (!isOther || !(node.contentType === encrypted || node.children.some(hasWords))) return within;
  return [...within, ...node.children.filter((child) => isUnnamed(child) && isOther(child.contentType || ''))];
}

/**
 * For each type of multipart, whether a part of it is such a form. It is a map, since a stranger
 * chooses the type.
 */
const otherFormsOf = new Map<string, (contentType: string) => boolean>([
  // An invitation comes as text/calendar, and must stay readable
  ['multipart/alternative', (contentType) => contentType.startsWith('text/') && contentType !== 'text/calendar'],
  ['multipart/report', (contentType) => forPrograms.has(contentType)],
  // RFC 3156 4: the first part of an encrypted message is only a version number
  [encrypted, (contentType) => contentType === 'application/pgp-encrypted'],
]);

function hasWords({ isAttachment, textContent, children }: TreeNode): boolean {
  return (!isAttachment && /\S/.test(textContent ?? '')) || children.some(hasWords);
}

/** Whether a part is listed as a file although its sender did not mean it as one. */
function isUnnamed({ isAttachment, node }: TreeNode): boolean {
  return isAttachment === true && !node.filename && node.disposition !== 'attachment';
}
