import { carryOver, loadChart, type AnyChart, type ChartForm } from '@parquetry/charts'
import { toastError } from '@parquetry/ui'
import { useEffect, useState } from 'react'
import { messageOf } from '../shared/errors.ts'
import type { DatasetDocument } from './use-explore.ts'

/**
 * The chart that the edited form is of, loaded when the form changes its type (by undo too).
 * @param onForm  takes the form that another type goes on with
 */
export function useChartType(
  first: AnyChart,
  form: ChartForm,
  dataset: DatasetDocument,
  onForm: (form: ChartForm) => void,
): { chart: AnyChart; changeType(viz_type: string): void } {
  const [chart, setChart] = useState(first)
  const wanted = form['viz_type']
  useEffect(() => {
    if (typeof wanted !== 'string' || wanted === chart.viz_type || chart.replaces?.[wanted]) return
    let isCurrent = true
    loadChart(wanted).then(
      (other) => isCurrent && other && setChart(other),
      (error: unknown) => toastError(messageOf(error)),
    )
    return () => {
      isCurrent = false
    }
  }, [wanted, chart])

  const changeType = (viz_type: string): void => {
    if (viz_type === chart.viz_type) return
    loadChart(viz_type).then(
      (next) => {
        if (!next) return
        setChart(next)
        onForm(carryOver(form, chart, next, dataset))
      },
      (error: unknown) => toastError(messageOf(error)),
    )
  }
  return { chart, changeType }
}
