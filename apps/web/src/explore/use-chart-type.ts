import { carryOver, loadChart, unknownChart, type AnyChart, type ChartForm } from '@parquetry/charts'
import { toastError } from '@parquetry/ui'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { messageOf } from '../shared/errors.ts'
import type { ExploreDataset } from './use-explore.ts'

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
    if (typeof wanted !== 'string' || wanted === chart.viz_type || chart.replaces?.[wanted]) return
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
    loadChart(viz_type).then(
      (next) => {
        if (!next || chosen.current !== viz_type) return
        // At once: a click on the controls of the type before would edit the form of the next one.
        flushSync(() => {
          setChart(next)
          onForm((edited) => carryOver(edited, chart, next, dataset))
        })
      },
      (error: unknown) => toastError(messageOf(error)),
    )
  }
  return { chart, changeType }
}
