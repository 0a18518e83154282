export function DetailPage() {
  return null;
}
