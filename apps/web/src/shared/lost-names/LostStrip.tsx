import { renamesOf, type Renames } from '@parquetry/charts'
import type { LostName } from '@parquetry/model'
import { Button, Strip, useText } from '@parquetry/ui'
import { lostWords } from './lost-words.ts'

const mostSaid = 3

/** Tells who edits what happened to the names that it uses, and puts the new ones in at once. */
export function LostStrip({ lost, onUse }: { lost: readonly LostName[]; onUse(renames: Renames): void }) {
  const t = useText()
  if (lost.length === 0) return null
  const renamed = [...new Set(lost.flatMap(({ now }) => now ?? []))]
  const [only = ''] = renamed
  return (
    <Strip
      tone="warning"
      action={
        renamed.length > 0 && (
          <Button onClick={() => onUse(renamesOf(lost))}>
            {renamed.length === 1 ? t('lost.use', 'Use {name}', { name: only }) : t('lost.useAll', 'Use new names')}
          </Button>
        )
      }
    >
      {[
        ...lost.slice(0, mostSaid).map(lostWords),
        ...(lost.length > mostSaid
          ? [
              t(
                'lost.more',
                '{n, plural, one {# more name used here has changed} other {# more names used here have changed}}.',
                {
                  n: lost.length - mostSaid,
                },
              ),
            ]
          : []),
      ].join(' ')}
    </Strip>
  )
}
