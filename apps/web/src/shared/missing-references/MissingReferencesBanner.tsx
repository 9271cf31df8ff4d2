import { toRenames, type Renames } from '@parquetry/charts'
import type { MissingReference } from '@parquetry/model'
import { Button, Banner, useTranslate } from '@parquetry/ui'
import { formatMissingReference } from './format-missing-reference.ts'

const maxShown = 3

/** Banner that tells editors which names in use were renamed or removed, and replaces renamed ones in one step. */
export function MissingReferencesBanner({
  lost,
  onUse,
}: {
  lost: readonly MissingReference[]
  onUse(renames: Renames): void
}) {
  const t = useTranslate()
  if (lost.length === 0) return null
  const renamed = [...new Set(lost.flatMap(({ now }) => now ?? []))]
  const [only = ''] = renamed
  return (
    <Banner
      tone="warning"
      action={
        renamed.length > 0 && (
          <Button onClick={() => onUse(toRenames(lost))}>
            {renamed.length === 1 ? t('lost.use', 'Use {name}', { name: only }) : t('lost.useAll', 'Use new names')}
          </Button>
        )
      }
    >
      {[
        ...lost.slice(0, maxShown).map(formatMissingReference),
        ...(lost.length > maxShown
          ? [
              t(
                'lost.more',
                '{n, plural, one {# more name used here has changed} other {# more names used here have changed}}.',
                {
                  n: lost.length - maxShown,
                },
              ),
            ]
          : []),
      ].join(' ')}
    </Banner>
  )
}
