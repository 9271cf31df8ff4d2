import { useRef, useState, type ReactNode } from 'react'
import { Button } from '../buttons/Button.tsx'
import { Icon } from '../icons/Icon.tsx'
import styles from './DropZone.module.css'

export interface DropZoneProps {
  /** What it takes, in words. */
  children: ReactNode
  /** Words of the button that opens the file dialog. */
  action: string
  /** As `accept` of a file field: `.csv,.xlsx`. */
  accept?: string
  multiple?: boolean
  onFiles(files: File[]): void
}

/** A dashed field for files: drop them, or choose them with the button. */
export function DropZone({ children, action, accept, multiple, onFiles }: DropZoneProps) {
  const [over, setOver] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const give = (list: FileList | null): void => {
    const files = [...(list ?? [])]
    if (files.length > 0) onFiles(multiple ? files : files.slice(0, 1))
  }
  return (
    <div
      className={styles.zone}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        give(event.dataTransfer.files)
      }}
    >
      <Icon name="upload" />
      <span className={styles.text}>{children}</span>
      <Button onClick={() => field.current?.click()}>{action}</Button>
      <input
        ref={field}
        type="file"
        hidden
        accept={accept}
        multiple={multiple}
        onChange={(event) => {
          give(event.target.files)
          event.target.value = ''
        }}
      />
    </div>
  )
}
