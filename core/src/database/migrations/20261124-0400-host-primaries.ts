// Whether a process has a primary, which replaces it while its port stays open (D55).

export const statements = ['ALTER TABLE host_processes ADD COLUMN has_primary TINYINT(1) NOT NULL DEFAULT 0'];
