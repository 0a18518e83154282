// The home page counts the mail of a day by the entries of an index alone.

export const statements = [
  `ALTER TABLE deliveries
    DROP KEY deliveries_day,
    ADD KEY deliveries_day (created_at, direction, state, answers)`,
];
