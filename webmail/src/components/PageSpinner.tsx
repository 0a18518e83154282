import { makeStyles, Spinner } from '@fluentui/react-components';

const useStyles = makeStyles({
  root: { display: 'flex', alignItems: 'center', justifyContent: 'center', minHeight: '50vh', flexGrow: 1 },
});

/** Waits a moment before it shows, so that quick loads don't flicker. */
export function PageSpinner() {
  return (
    <div className={useStyles().root}>
      <Spinner delay={300} label="Loading" labelPosition="below" />
    </div>
  );
}
