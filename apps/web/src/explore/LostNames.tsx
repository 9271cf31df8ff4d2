import { lostIn, mayNameLost, renamesOf, withRenames, type AnyChart, type ChartForm } from '@parquetry/charts'
import type { LostName } from '@parquetry/model'
import { Button, Strip, useText } from '@parquetry/ui'
import { createContext, use } from 'react'
import { lostWords } from '../shared/lost-names/lost-words.ts'
import { useLostNames } from '../shared/lost-names/use-lost-names.ts'
import type { ExploreDataset } from './use-explore.ts'

/** Names in the form being edited that its dataset had, and has no more. */
export const LostNamesContext = createContext<readonly LostName[]>([])

/** What is wrong with a name that is gone: who took it away, where that is known. */
export function useMissingWords(): (kind: LostName['kind'], name: string | undefined, otherwise: string) => string {
  const lost = use(LostNamesContext)
  return (kind, name, otherwise) => {
    const found = lost.find((each) => each.kind === kind && each.name === name)
    return found ? lostWords(found) : otherwise
  }
}

export function useLostInForm(chart: AnyChart, form: ChartForm, dataset: ExploreDataset): readonly LostName[] {
  const isOfTable = dataset.type === 'table'
  const lost = useLostNames(dataset.id, isOfTable && mayNameLost(chart, form, dataset))
  return lost.length === 0 ? lost : lostIn(chart, form, lost)
}

const mostSaid = 3

/** Tells who edits a chart what happened to the names that it uses, and puts the new ones in at once. */
export function LostNames({
  lost,
  chart,
  form,
  onUse,
}: {
  lost: readonly LostName[]
  chart: AnyChart
  form: ChartForm
  onUse(form: ChartForm): void
}) {
  const t = useText()
  if (lost.length === 0) return null
  const renamed = [...new Set(lost.flatMap(({ now }) => now ?? []))]
  const [only = ''] = renamed
  return (
    <Strip
      tone="warning"
      action={
        renamed.length > 0 && (
          <Button onClick={() => onUse(withRenames(chart, form, renamesOf(lost)))}>
            {renamed.length === 1
              ? t('explore.lost.use', 'Use {name}', { name: only })
              : t('explore.lost.useAll', 'Use the new names')}
          </Button>
        )
      }
    >
      {[
        ...lost.slice(0, mostSaid).map(lostWords),
        ...(lost.length > mostSaid
          ? [
              t('explore.lost.more', '{n, plural, one {One more name} other {# more names}} of this chart changed.', {
                n: lost.length - mostSaid,
              }),
            ]
          : []),
      ].join(' ')}
    </Strip>
  )
}
