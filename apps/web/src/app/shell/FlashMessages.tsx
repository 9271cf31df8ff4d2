import { toast, type Toast } from '@parquetry/ui'
import { useEffect } from 'react'
import { boot } from '../../shared/boot.ts'

const kinds: Record<string, Toast['kind']> = {
  danger: 'error',
  error: 'error',
  warning: 'warning',
  success: 'success',
  info: 'info',
}

/** Shows the messages that the server sent with this page once, as toasts. */
export function FlashMessages() {
  useEffect(() => {
    for (const [category, text] of boot.common.flash_messages.splice(0))
      toast(text, { kind: kinds[category] ?? 'info' })
  }, [])
  return null
}
