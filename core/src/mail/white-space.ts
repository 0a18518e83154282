/** The value of `white-space` in a style attribute, in lower case; '' when there is none. */
export function whiteSpaceOf(style: string | null | undefined): string {
  return /(?:^|;)\s*white-space\s*:\s*([a-z-]+)/i.exec(style ?? '')?.[1]?.toLowerCase() ?? '';
}
