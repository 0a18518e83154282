/** Counts the open connections of each address. */
export class ConnectionCounter {
  private readonly counts = new Map<string, number>();

  /** Counts a new connection and returns how many the address has now. */
  add(address: string): number {
    const count = (this.counts.get(address) ?? 0) + 1;
    this.counts.set(address, count);
    return count;
  }

  /** Counts a closed connection. */
  remove(address: string): void {
    const count = (this.counts.get(address) ?? 1) - 1;
    if (count > 0) this.counts.set(address, count);
    else this.counts.delete(address);
  }
}
