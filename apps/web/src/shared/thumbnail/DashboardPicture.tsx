import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../api.ts'
import { vizIcon } from '../viz.ts'
import { dashboardBoxes, type ThumbnailBox } from './dashboard-boxes.ts'
import { SketchFrame, sketchLines } from './Sketch.tsx'
import styles from './thumbnail.module.css'

/** The layout of a dashboard, with sketches of its chart types. */
export function DashboardPicture({ name, sketch }: { name: string | number; sketch: ReactNode }) {
  const { data } = useQuery({
    queryKey: ['dashboard', 'picture', String(name)],
    queryFn: async ({ signal }) => {
      const params = { id: String(name) }
      const [dashboard, charts] = await Promise.all([
        api.get('/api/v1/dashboard/:id', { params, signal, quiet: true }),
        api.get('/api/v1/dashboard/:id/charts', { params, signal, quiet: true }),
      ])
      const kinds = new Map(charts.result.map(({ id, form_data }) => [id, String(form_data['viz_type'] ?? '')]))
      return { kinds, boxes: dashboardBoxes(dashboard.result.position_json, kinds.keys()) }
    },
    staleTime: 60_000,
    retry: false,
    refetchOnWindowFocus: false,
  })
  return !data || data.boxes.length === 0 ? sketch : <BoxesPicture {...data} />
}

/** Boxes with sketches of their chart types, by chart id. */
export function BoxesPicture({ boxes, kinds }: { boxes: readonly ThumbnailBox[]; kinds: ReadonlyMap<number, string> }) {
  return (
    <SketchFrame>
      {boxes.map(({ x, y, width, height, chartId }) => (
        <g key={`${x} ${y}`}>
          <rect className={styles.tile} x={x} y={y} width={width} height={height} rx={2} />
          <svg
            x={x + 2}
            y={y + 2}
            width={Math.max(0, width - 4)}
            height={Math.max(0, height - 4)}
            viewBox="16 10 128 80"
          >
            {chartId !== null && sketchLines(vizIcon(kinds.get(chartId) ?? ''))}
          </svg>
        </g>
      ))}
    </SketchFrame>
  )
}
