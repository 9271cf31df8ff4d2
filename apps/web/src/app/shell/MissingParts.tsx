import { Button, Strip, useText } from '@parquetry/ui'
import { fetchMissing, useMissing } from '../../shared/missing-parts.ts'

/** Says that a part of the page did not come, where it may come after all. */
export function MissingParts() {
  const t = useText()
  const isMissing = useMissing()
  if (!isMissing) return null
  return (
    <Strip
      tone="warning"
      action={
        <Button variant="quiet" onClick={fetchMissing}>
          {t('app.missing.again', 'Try again')}
        </Button>
      }
    >
      {t('app.missing.strip', 'Could not load part of this page. Your open work and unsaved changes are not affected.')}
    </Strip>
  )
}
