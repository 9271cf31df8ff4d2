import { Button } from '@parquetry/ui'
import { useRef, type ComponentProps } from 'react'
import { acceptedFiles, askUpload } from './upload.ts'

export interface FileButtonProps extends Pick<ComponentProps<typeof Button>, 'variant' | 'icon'> {
  children: string
}

/** Chooses files of the computer and opens the upload dialog with them. */
export function FileButton({ children, ...look }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...look} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={acceptedFiles}
        aria-label={children}
        onChange={({ target }) => {
          if (target.files?.length) askUpload([...target.files])
          target.value = ''
        }}
      />
    </>
  )
}
