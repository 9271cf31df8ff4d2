import { Button, useTranslate } from '@parquetry/ui'
import { useRef, type ReactNode } from 'react'
import styles from './FileChooser.module.css'

export interface FileChooserProps {
  /** Name of the field for screen readers. */
  label: string
  /** Accepted file types, as the attribute of a file input. */
  accept: string
  /** Name of the chosen file; null before one was chosen. */
  fileName: string | null
  /** Shown in place of the name before a file was chosen. */
  hint?: string
  busy?: boolean
  /** More buttons beside the first. */
  children?: ReactNode
  onChoose(file: File): void
}

/** A button that opens a file, and the name of the file. */
export function FileChooser({
  label,
  accept,
  fileName,
  hint = '',
  busy = false,
  children,
  onChoose,
}: FileChooserProps) {
  const t = useTranslate()
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={styles.file}>
      <Button icon="upload" data-autofocus busy={busy} onClick={() => input.current?.click()}>
        {fileName === null
          ? t('shared.fileChooser.choose', 'Choose a file')
          : t('shared.fileChooser.another', 'Choose another file')}
      </Button>
      {children}
      <span className={styles.name}>{fileName ?? hint}</span>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ target }) => {
          const [chosen] = target.files ?? []
          if (chosen) onChoose(chosen)
          // Choosing the same file again is another change.
          target.value = ''
        }}
      />
    </div>
  )
}
