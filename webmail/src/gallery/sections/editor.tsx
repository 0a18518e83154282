import { Editor } from '../../components/editor/Editor.tsx';
import { Specimen } from '../Specimen.tsx';

const html =
  '<div>Dear Priya,</div><div><br></div><div>the <b>second</b> shipment left <i>Tuticorin</i> on Monday:</div><ul><li>40s combed</li><li>60s carded</li></ul><blockquote>Please confirm the count.</blockquote>';
const nothing = (): void => undefined;

export function EditorSection() {
  return (
    <>
      <Specimen title="Rich text" shape="screen" height={320}>
        <Editor initialHtml={html} label="Message text" onReady={nothing} onFiles={nothing} />
      </Specimen>
      <Specimen title="Not right" shape="screen" height={260}>
        <Editor initialHtml="" label="Signature text" isInvalid onReady={nothing} onFiles={nothing} />
      </Specimen>
    </>
  );
}
