// What tells a start that the secret key and the blob store are those of this database: a text that
// only the key can make, and the random name of the store.

export const statements = [
  `ALTER TABLE host_state
     ADD COLUMN key_mark CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
     ADD COLUMN store_name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL`,
];
