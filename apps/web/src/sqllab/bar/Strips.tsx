import { Button, Strip, useText } from '@parquetry/ui'
import { useStore } from 'zustand'
import type { Lab } from '../lab.ts'

/** What threatens the text, across the page. */
export function Strips({ lab }: { lab: Lab }) {
  const t = useText()
  const { trouble, stuck } = useStore(lab.notices)
  if (trouble === 'full')
    return (
      <Strip tone="danger" banner>
        {t('sqllab.notKept', 'Browser storage is full, so this SQL can’t be saved. Copy it before you leave the page.')}
      </Strip>
    )
  if (stuck !== null)
    return (
      <Strip
        tone="warning"
        banner
        action={
          <Button variant="quiet" onClick={() => lab.sync?.retry()}>
            {t('sqllab.store.again', 'Try again')}
          </Button>
        }
      >
        {stuck} {t('sqllab.store.local', 'Your changes are kept in this browser.')}
      </Strip>
    )
  if (trouble === 'tight')
    return (
      <Strip tone="warning" banner onClose={() => lab.notices.setState({ trouble: null })}>
        {t('sqllab.tight', 'Browser storage is almost full. Close tabs you no longer need.')}
      </Strip>
    )
  return null
}
