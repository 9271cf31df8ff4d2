import type { DatasetLook } from '@parquetry/charts'
import { ChartHost } from '@parquetry/charts/views'
import type { ReactNode } from 'react'
import { ChartFrame } from '../ChartFrame.tsx'
import { useChartData } from '../use-chart-data.ts'
import type { FirstPicture } from './use-first-pictures.ts'

interface PreviewProps {
  picture: FirstPicture
  dataset: DatasetLook
  className: string | undefined
  /** What makes something of it, over the picture. */
  children: ReactNode
}

/** One first picture, drawn as an entry of a list. One that fails is left out. */
export function Preview({ picture: { suggestion, chart, form }, dataset, className, children }: PreviewProps) {
  const data = useChartData(chart, form, { state: {}, enabled: true, force: false })
  if (data.state.phase === 'failed') return null
  return (
    <li className={className}>
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
      {children}
    </li>
  )
}
