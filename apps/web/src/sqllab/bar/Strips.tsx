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
        {t('sqllab.notKept', 'The browser has no room to keep this text. Copy it before you leave the page.')}
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
        {stuck} {t('sqllab.store.local', 'The text is kept in this browser.')}
      </Strip>
    )
  if (trouble === 'tight')
    return (
      <Strip tone="warning" banner onClose={() => lab.notices.setState({ trouble: null })}>
        {t('sqllab.tight', 'The browser has little room left for tabs. Close some that you no longer need.')}
      </Strip>
    )
  return null
}
