import { Field, Input, makeStyles, tokens } from '@fluentui/react-components';
import { ArrowClockwiseRegular } from '@fluentui/react-icons/svg/arrow-clockwise';
import { useQuery } from '@tanstack/react-query';
import { fieldProblem } from '../../components/form/field-problem.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { LightPaper } from '../../components/LightPaper.tsx';
import { Bar, Placeholder } from '../../components/feedback/Placeholder.tsx';
import { messageOf } from '../../lib/api-error.ts';
import { captchaQuery } from './queries.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  picture: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS },
  frame: {
    flexGrow: 1,
    height: '64px',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    overflow: 'hidden',
  },
  image: { display: 'block', width: '100%', height: '100%', objectFit: 'contain' },
});

interface Props {
  value: string;
  problem: string | undefined;
  onChange: (text: string) => void;
}

export function CaptchaField({ value, problem, onChange }: Props) {
  const styles = useStyles();
  const { data, error, isFetching, refetch } = useQuery(captchaQuery);
  const handleRefresh = (): void => {
    onChange('');
    void refetch();
  };
  const source = data && `data:image/svg+xml;charset=utf-8,${encodeURIComponent(data.svg)}`;
  return (
    <div className={styles.root}>
      <div className={styles.picture}>
        <LightPaper className={styles.frame}>
          {source ? (
            <img className={styles.image} src={source} alt="Letters to copy into the field below" />
          ) : (
            <Placeholder label="Loading the picture">
              <Bar height={64} />
            </Placeholder>
          )}
        </LightPaper>
        <IconButton
          label="New picture"
          icon={<ArrowClockwiseRegular />}
          disabled={isFetching}
          onClick={handleRefresh}
        />
      </div>
      <Field
        label="Letters in the picture"
        required
        {...fieldProblem(problem ?? (error ? messageOf(error) : undefined))}
      >
        <Input
          name="captcha"
          value={value}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(_event, data) => onChange(data.value)}
        />
      </Field>
    </div>
  );
}
