import { makeStyles, tokens } from '@fluentui/react-components';
import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { own } from '../../theme/own-tokens.ts';

const HEIGHT = 240;

const useStyles = makeStyles({
  root: {
    height: `${HEIGHT}px`,
    fontSize: tokens.fontSizeBase200,
    fontVariantNumeric: 'tabular-nums',
    '& text': { fill: tokens.colorNeutralForeground2 },
  },
});

/** A point of a chart. */
export interface ChartPoint {
  name: string;
  added: number;
}

interface Props {
  points: readonly ChartPoint[];
  /** What the chart shows, for readers who do not see it. */
  label: string;
  /** What is counted, as a heading of the number. */
  counted: string;
  series: 'series1' | 'series2';
}

const tooltip = {
  backgroundColor: tokens.colorNeutralBackground1,
  border: `1px solid ${tokens.colorNeutralStroke2}`,
  borderRadius: tokens.borderRadiusMedium,
  color: tokens.colorNeutralForeground1,
};

/** Added records over time, as a line. The table beside it says the same. */
export default function GrowthChart({ points, label, counted, series }: Props) {
  const styles = useStyles();
  const colour = own[series];
  return (
    <div className={styles.root} role="img" aria-label={label}>
      <ResponsiveContainer width="100%" height={HEIGHT}>
        <LineChart data={[...points]} accessibilityLayer={false} margin={{ top: 8, right: 16, bottom: 0, left: 0 }}>
          <CartesianGrid vertical={false} stroke={tokens.colorNeutralStroke2} />
          <XAxis dataKey="name" tickLine={false} stroke={tokens.colorNeutralStroke1} minTickGap={24} />
          <YAxis allowDecimals={false} width={40} axisLine={false} tickLine={false} domain={[0, 'auto']} />
          <Tooltip contentStyle={tooltip} cursor={{ stroke: tokens.colorNeutralStroke1 }} isAnimationActive={false} />
          <Line
            dataKey="added"
            name={counted}
            stroke={colour}
            strokeWidth={2}
            dot={points.length < 32 && { r: 3, fill: colour, strokeWidth: 0 }}
            isAnimationActive={false}
          />
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
}
