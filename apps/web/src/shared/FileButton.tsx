import { Button } from '@parquetry/ui'
import type { ComponentProps } from 'react'
import { acceptedFiles, openUpload } from './upload.ts'

export interface FileButtonProps extends Pick<ComponentProps<typeof Button>, 'variant' | 'icon'> {
  children: string
}

/** Opens the system's file dialog, then the upload dialog with the chosen files. */
export function FileButton({ children, ...buttonProps }: FileButtonProps) {
  return (
    <Button {...buttonProps} onClick={chooseFiles}>
      {children}
    </Button>
  )
}

/** The input is outside the page's tree: the button may move or unmount while the system dialog is open. */
function chooseFiles(): void {
  const input = document.createElement('input')
  Object.assign(input, { type: 'file', multiple: true, hidden: true, accept: acceptedFiles })
  const isOver = (): void => {
    input.remove()
    if (input.files?.length) openUpload([...input.files])
  }
  for (const event of ['change', 'cancel']) input.addEventListener(event, isOver, { once: true })
  document.body.append(input)
  input.click()
}
