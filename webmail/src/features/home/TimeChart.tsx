import { makeStyles, tokens } from '@fluentui/react-components';
import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { own } from '../../theme/own-tokens.ts';
import type { TimeSeries } from './time-series.ts';

const HEIGHT = 240;
/** The most points that have a dot each: more dots would look like a line of their own. */
const MOST_DOTS = 31;

const useStyles = makeStyles({
  root: {
    height: `${HEIGHT}px`,
    fontSize: tokens.fontSizeBase200,
    fontVariantNumeric: 'tabular-nums',
    '& text': { fill: tokens.colorNeutralForeground2 },
  },
});

interface Props {
  series: TimeSeries;
  /** What the chart shows, for readers who do not see it. */
  label: string;
}

const tooltip = {
  backgroundColor: tokens.colorNeutralBackground1,
  border: `1px solid ${tokens.colorNeutralStroke2}`,
  borderRadius: tokens.borderRadiusMedium,
  color: tokens.colorNeutralForeground1,
};

/** Numbers over time as lines. `TimeTable` says the same in words. */
export default function TimeChart({ series: { lines, points }, label }: Props) {
  const styles = useStyles();
  return (
    <div className={styles.root} role="img" aria-label={label}>
      <ResponsiveContainer width="100%" height={HEIGHT}>
        <LineChart data={[...points]} accessibilityLayer={false} margin={{ top: 8, right: 16, bottom: 0, left: 0 }}>
          <CartesianGrid vertical={false} stroke={tokens.colorNeutralStroke2} />
          <XAxis dataKey="name" tickLine={false} stroke={tokens.colorNeutralStroke1} minTickGap={24} />
          <YAxis allowDecimals={false} width={40} axisLine={false} tickLine={false} domain={[0, 'auto']} />
          <Tooltip contentStyle={tooltip} cursor={{ stroke: tokens.colorNeutralStroke1 }} isAnimationActive={false} />
          {lines.map(({ name, colour }, index) => (
            <Line
              key={name}
              dataKey={`values.${index}`}
              name={name}
              stroke={own[colour]}
              strokeWidth={2}
              dot={points.length <= MOST_DOTS && { r: 3, fill: own[colour], strokeWidth: 0 }}
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
}
