/** A notice that has not come by then was lost. */
const LATEST_MS = 5_000;

let expected = 0;
let lastChange = 0;

/**
 * Notes a change of this page that the server will announce, once, to all windows of the person.
 * @returns call it when the server refused the change, for then no notice comes
 */
export function expectNotice(): () => void {
  expected += 1;
  lastChange = Date.now();
  return () => {
    expected = Math.max(0, expected - 1);
  };
}

/**
 * Takes a notice off the expected ones. False when none is expected, so that the notice is about a
 * change made elsewhere.
 */
export function takeOwnNotice(): boolean {
  if (Date.now() - lastChange > LATEST_MS) expected = 0;
  if (expected === 0) return false;
  expected -= 1;
  return true;
}
