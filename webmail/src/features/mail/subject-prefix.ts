/**
 * What mail programs write before the subject of an answer, in their languages; some count the
 * answers, as `Re[2]:`. Left out is what may as well be a word of the subject, as `R:` or `Ref:`.
 */
const answered =
  /^(?:re|aw|antw(?:ort)?|sv|res|rif|odp|ynt|vá|απ|回复|回覆|答复|答覆|返信)\s*(?:\[\d+\]|\(\d+\)|\^\d+)?\s*[:：]/iu;
/** The same for a message that is passed on. */
const forwarded = /^(?:fwd?|wg|tr|rv|enc|i|vb|vs|pd|ilt|πρθ|转发|轉寄|轉發|転送|전달)\s*[:：]/iu;

/** `Re: ` or `Fwd: ` before the subject, unless it or the same in another language stands there. */
export function prefixSubject(prefix: 'Re' | 'Fwd', subject: string): string {
  const known = prefix === 'Re' ? answered : forwarded;
  const text = subject.trim();
  return known.test(text) ? text : `${prefix}: ${text}`;
}

/** Whether a message passes another one on, as far as its subject says so. */
export function isForward(subject: string): boolean {
  return forwarded.test(subject.trim());
}
