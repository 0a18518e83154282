/** Flags of messages as calls name them. */
type Statuses = Partial<
  Record<`${'read' | 'star' | 'archive' | 'trash' | 'delete' | 'junk'}_status`, boolean | undefined>
>;

/** The flags that a call sets, by the names of the mail store. */
export function flagsIn(body: Statuses) {
  return {
    readStatus: body.read_status,
    starStatus: body.star_status,
    archiveStatus: body.archive_status,
    trashStatus: body.trash_status,
    deleteStatus: body.delete_status,
    junkStatus: body.junk_status,
  };
}
