import '@fontsource-variable/inter'
import { framesOf } from '@parquetry/charts/testing/frames'
import { ChartHost } from '@parquetry/charts/views'
import { plainSay } from '@parquetry/model'
import { UiProvider } from '@parquetry/ui'
import { createRoot } from 'react-dom/client'

const [rows, columns] = [310, 300]
const places = Array.from({ length: rows * columns }, (_, at) => [Math.floor(at / columns), at % columns] as const)
const frames = framesOf({
  cells: [
    { name: 'region', values: places.map(([row]) => `Region ${Math.floor(row / 10)}`) },
    { name: 'city', values: places.map(([row]) => `City ${row}`) },
    { name: 'product', values: places.map(([, column]) => `Product ${column}`) },
    { name: 'n', values: places.map(([row, column]) => ((row * 7919 + column * 104_729) % 100_003) / 7) },
  ],
})
const form = {
  viz_type: 'pivot_table_v2',
  groupbyRows: ['region', 'city'],
  groupbyColumns: ['product'],
  metrics: ['n'],
  rowTotals: true,
  colTotals: true,
  rowSubTotals: true,
}
const navigation = { navigate: () => {}, href: (to: string) => to }

createRoot(document.querySelector('#root') as HTMLElement).render(
  <UiProvider navigation={navigation as never} words={{ locale: 'en', messages: {}, say: plainSay }}>
    <div style={{ width: 1200, height: 640 }}>
      <ChartHost form={form} frames={frames} title="Pivot" onMark={() => {}} />
    </div>
  </UiProvider>,
)
