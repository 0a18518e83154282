/** The length in characters after which a line ends before the next word. */
const shortLine = 60;

/**
 * A part of an Authentication-Results field, folded into lines. No line exceeds the limit of a
 * header, since mailauth writes no word of more than 900 bytes.
 */
export function foldPart(text: string): string {
  let start = 0;
  // Values come from the message and from DNS. None of them may end the field or hide text in it
  return text.replace(/\p{Cc}+/gu, ' ').replace(/(?<=\S) +(?=\S)/g, (spaces, at: number) => {
    if (at - start <= shortLine) return spaces;
    start = at + spaces.length;
    return '\r\n ';
  });
}
