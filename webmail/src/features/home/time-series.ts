/** Numbers over time: lines with a name and a colour, and for each moment a value of each line. */
export interface TimeSeries {
  lines: readonly { name: string; colour: 'series1' | 'series2' }[];
  /** Names of numbers that the table alone shows. Their values stand after those of the lines. */
  others?: readonly string[];
  /** `at` is the moment or the day, which no two points share. */
  points: readonly { at: string; name: string; values: readonly number[] }[];
}
