/** What a style attribute says of spaces and line ends, in lower case; '' when it says nothing. */
export function whiteSpaceOf(style: string | null | undefined): string {
  return /(?:^|;)\s*white-space\s*:\s*([a-z-]+)/i.exec(style ?? '')?.[1]?.toLowerCase() ?? '';
}
