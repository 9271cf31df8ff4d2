import type { DatasetDisplay } from '@parquetry/charts'
import { ChartHost } from '@parquetry/charts/views'
import type { ComponentProps, ReactNode } from 'react'
import { ChartFrame } from '../ChartFrame.tsx'
import { useChartData } from '../use-chart-data.ts'
import type { SuggestedChart } from './use-suggested-charts.ts'
import styles from './SuggestedChartCard.module.css'

interface SuggestedChartCardProps {
  suggested: SuggestedChart
  dataset: DatasetDisplay
  className?: string | undefined
  /** Describes the action of the card, which is a button as a whole. */
  label: string
  choose: Omit<ComponentProps<'button'>, 'type' | 'className' | 'children'>
  /** Additional actions, on top of the chart. */
  children?: ReactNode
}

/** One suggested chart as a list item. A chart that fails is hidden. */
export function SuggestedChartCard({
  suggested: { suggestion, chart, form },
  dataset,
  className,
  label,
  choose,
  children,
}: SuggestedChartCardProps) {
  const data = useChartData(chart, form, { state: {}, enabled: true, force: false })
  if (data.state.phase === 'failed') return null
  return (
    <li className={[styles.card, className].filter(Boolean).join(' ')}>
      <ChartFrame
        title={suggestion.title}
        state={data.state}
        hasPicture={data.result !== undefined}
        vizType={chart.viz_type}
        onStop={data.stop}
      >
        {data.result && (
          <ChartHost
            form={form}
            frames={data.result.frames}
            until={data.result.heads[0]?.until}
            dataset={dataset}
            title={suggestion.title}
          />
        )}
      </ChartFrame>
      <button {...choose} type="button" className={styles.choose}>
        <span>{label}</span>
      </button>
      {children}
    </li>
  )
}
