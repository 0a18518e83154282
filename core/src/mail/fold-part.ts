/** Characters after which a line ends at the next word. */
const shortLine = 60;

/**
 * A part of an Authentication-Results field, in one line or several. None is longer than a header
 * may have: mailauth gives no word of more than 900 bytes.
 */
export function foldPart(text: string): string {
  let start = 0;
  // Values come from the message and from DNS: none of them may end the field or hide text in it
  return text.replace(/\p{Cc}+/gu, ' ').replace(/(?<=\S) +(?=\S)/g, (spaces, at: number) => {
    if (at - start <= shortLine) return spaces;
    start = at + spaces.length;
    return '\r\n ';
  });
}
