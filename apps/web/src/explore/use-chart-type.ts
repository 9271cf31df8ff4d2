import { needsTimeGrain, carryOver, loadChart, unknownChart, type AnyChart, type ChartForm } from '@parquetry/charts'
import { toastError } from '@parquetry/ui'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { messageOf } from '../shared/errors.ts'
import { fetchTimeSpan } from '../shared/fetch-time-span.ts'
import type { ExploreDataset } from './use-explore.ts'

/** True if the chart implements the type of the form, or replaces it as a legacy type. */
export const isChartOfForm = (chart: AnyChart, { viz_type }: ChartForm): boolean =>
  viz_type === chart.viz_type || (typeof viz_type === 'string' && chart.replaces?.[viz_type] !== undefined)

/**
 * Loads the chart of the edited form whenever its type changes, including by undo. Edits made while a type loads are preserved,
 * and the last of several choices applies.
 * @param onForm  converts the form as edited by then to the chosen type
 */
export function useChartType(
  first: AnyChart,
  form: ChartForm,
  dataset: ExploreDataset,
  onForm: (carry: (edited: ChartForm) => ChartForm) => void,
): { chart: AnyChart; changeType(viz_type: string): void } {
  const [chart, setChart] = useState(first)
  const chosen = useRef<string | null>(null)
  const wanted = form['viz_type']
  useEffect(() => {
    chosen.current = null
    if (typeof wanted !== 'string' || isChartOfForm(chart, { viz_type: wanted })) return
    let isCurrent = true
    loadChart(wanted).then(
      (other) => isCurrent && setChart(other ?? unknownChart(wanted)),
      (error: unknown) => toastError(messageOf(error)),
    )
    return () => {
      isCurrent = false
    }
  }, [wanted, chart])

  const changeType = (viz_type: string): void => {
    chosen.current = viz_type
    if (viz_type === chart.viz_type) return
    const load = async () => {
      const next = await loadChart(viz_type)
      return { next, span: next && needsTimeGrain(form, next) ? await fetchTimeSpan(dataset) : null }
    }
    load().then(
      ({ next, span }) => {
        if (!next || chosen.current !== viz_type) return
        // Synchronously, because a click on controls of the previous type would edit the new form.
        flushSync(() => {
          setChart(next)
          onForm((edited) => carryOver(edited, chart, next, dataset, span))
        })
      },
      (error: unknown) => toastError(messageOf(error)),
    )
  }
  return { chart, changeType }
}
