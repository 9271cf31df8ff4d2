import { Button, useTranslate, type Translate } from '@parquetry/ui'
import type { ComponentProps } from 'react'
import { openedFiles, openFiles } from './open-files.ts'

export interface FileButtonProps extends Pick<ComponentProps<typeof Button>, 'variant' | 'icon'> {
  children: string
}

/** Opens the system's file dialog, then the dialog for the chosen files. */
export function FileButton({ children, ...buttonProps }: FileButtonProps) {
  const t = useTranslate()
  return (
    <Button {...buttonProps} onClick={() => chooseFiles(t)}>
      {children}
    </Button>
  )
}

/** The input is outside the page's tree: the button may move or unmount while the system dialog is open. */
function chooseFiles(t: Translate): void {
  const input = document.createElement('input')
  Object.assign(input, { type: 'file', multiple: true, hidden: true, accept: openedFiles })
  const isOver = (): void => {
    input.remove()
    if (input.files?.length) void openFiles([...input.files], t)
  }
  for (const event of ['change', 'cancel']) input.addEventListener(event, isOver, { once: true })
  document.body.append(input)
  input.click()
}
