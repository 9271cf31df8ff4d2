import type { MissingReference } from '@parquetry/model'
import { formatDate } from '../formats.ts'
import { t } from '../intl.ts'

/** Describes who renamed or removed the name, and when. */
export function formatMissingReference({ name, now, by, at }: MissingReference): string {
  const date = formatDate(new Date(`${at}Z`))
  if (now === null)
    return by === null
      ? t('lost.removed', '{name} was removed on {date}.', { name, date })
      : t('lost.removedBy', '{name} was removed by {by} on {date}.', { name, by, date })
  return by === null
    ? t('lost.renamed', '{name} was renamed to {now} on {date}.', { name, now, date })
    : t('lost.renamedBy', '{name} was renamed to {now} by {by} on {date}.', { name, now, by, date })
}
