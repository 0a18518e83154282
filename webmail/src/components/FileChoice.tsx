import { type ReactNode, useRef } from 'react';

interface Props {
  /** What the files are for. */
  label: string;
  /** The kinds of files that the device offers; all of them unless given. */
  accept?: string;
  isMultiple?: boolean;
  onFiles: (files: File[]) => void;
  /** The button, which opens the choice of the device. */
  children: (choose: () => void) => ReactNode;
}

/** A button to choose files of the device, with the hidden input that it needs. */
export function FileChoice({ label, accept, isMultiple = false, onFiles, children }: Props) {
  const inputRef = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={inputRef}
        type="file"
        hidden
        multiple={isMultiple}
        accept={accept}
        aria-label={label}
        tabIndex={-1}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // The same file may be chosen again, after the person has corrected or removed it
          target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      {children(() => inputRef.current?.click())}
    </>
  );
}
