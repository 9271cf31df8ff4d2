import { useCallback } from 'react'
import { useTranslate } from '../theme/i18n.ts'
import { toast, toastError } from './toast.ts'

/** Returns a function that copies a text and shows `done`, or an error if the browser does not allow it. */
export function useCopy(): (text: string, done: string) => void {
  const t = useTranslate()
  return useCallback(
    (text, done) => {
      copyText(text).then(
        () => toast(done),
        () => toastError(t('ui.copy.failed', 'Sorry, your browser does not support copying.')),
      )
    },
    [t],
  )
}

/** The clipboard API exists only on https and localhost; elsewhere the legacy command copies a selection. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  const before = document.activeElement
  field.value = text
  field.style.cssText = 'position: fixed; opacity: 0'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!isCopied) throw new Error('not copied')
}
