import '@fontsource-variable/inter'
import { toFrames } from '@parquetry/charts/testing/frames'
import { ChartHost } from '@parquetry/charts/views'
import { englishTranslator } from '@parquetry/model'
import { UiProvider } from '@parquetry/ui'
import { createRoot } from 'react-dom/client'

const [rows, columns] = [310, 300]
const cells = Array.from(
  { length: rows * columns },
  (_, index) => [Math.floor(index / columns), index % columns] as const,
)
const frames = toFrames({
  cells: [
    { name: 'region', values: cells.map(([row]) => `Region ${Math.floor(row / 10)}`) },
    { name: 'city', values: cells.map(([row]) => `City ${row}`) },
    { name: 'product', values: cells.map(([, column]) => `Product ${column}`) },
    { name: 'n', values: cells.map(([row, column]) => ((row * 7919 + column * 104_729) % 100_003) / 7) },
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
  <UiProvider navigation={navigation as never} i18n={{ locale: 'en', messages: {}, translate: englishTranslator }}>
    <div style={{ width: 1200, height: 640 }}>
      <ChartHost form={form} frames={frames} title="Pivot" onMark={() => {}} />
    </div>
  </UiProvider>,
)
