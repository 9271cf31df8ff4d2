import { needsTimeGrain, carryOver, loadChart, unknownChart, type AnyChart, type ChartForm } from '@parquetry/charts'
import { toastError } from '@parquetry/ui'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { messageOf } from '../shared/errors.ts'
import { fetchTimeSpan } from '../shared/fetch-time-span.ts'
import type { ExploreDataset } from './use-explore.ts'

/** Whether this is the chart of that form, under its own type or an older one that it takes over. */
export const isChartOfForm = (chart: AnyChart, { viz_type }: ChartForm): boolean =>
  viz_type === chart.viz_type || (typeof viz_type === 'string' && chart.replaces?.[viz_type] !== undefined)

/**
 * The chart that the edited form is of, loaded when the form changes its type (by undo too). A chosen type may take a moment to
 * load: what is edited meanwhile goes along, and of several choices the last one counts.
 * @param onForm  makes the form that is edited by then the one that the chosen type goes on with
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
        // At once: a click on the controls of the type before would edit the form of the next one.
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
