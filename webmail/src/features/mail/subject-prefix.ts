/**
 * What mail programs write before the subject of an answer, in their languages; some count the
 * answers, as `Re[2]:`. Prefixes that may be a word of the subject, such as `R:` or `Ref:`, are
 * left out.
 */
const answered =
  /^(?:re|aw|antw(?:ort)?|sv|res|rif|odp|ynt|vá|απ|回复|回覆|答复|答覆|返信)\s*(?:\[\d+\]|\(\d+\)|\^\d+)?\s*[:：]/iu;
/** The same for a message that is passed on. */
const forwarded = /^(?:fwd?|wg|tr|rv|enc|i|vb|vs|vl|pd|ilt|πρθ|转发|轉寄|轉發|転送|전달)\s*[:：]/iu;

/** The subject with `Re: ` or `Fwd: `, unless it begins with that prefix in any language. */
export function prefixSubject(prefix: 'Re' | 'Fwd', subject: string): string {
  const known = prefix === 'Re' ? answered : forwarded;
  const text = subject.trim();
  return known.test(text) ? text : `${prefix}: ${text}`;
}

/** Whether a message forwards another one, judged by its subject. */
export function isForward(subject: string): boolean {
  return forwarded.test(subject.trim());
}
