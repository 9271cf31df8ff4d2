import type { AnnotationLayer } from '@parquetry/model'
import { message } from '@parquetry/model/message'
import { buildMapLayers } from '../../deck-multi/layers.ts'
import { buildLineLayers } from '../../line-multi/layers.ts'
import { readChartLines } from '../../line-multi/lines.ts'
import { toList, requireItems } from '../read.ts'
import type { LayeredType } from '../type.ts'

/** A query without rows that carries the layers. */
const withLayers = (annotation_layers: AnnotationLayer[]) => ({
  columns: [],
  metrics: [{ expressionType: 'SQL' as const, sqlExpression: 'COUNT(*)', label: 'count' }],
  filters: [],
  extras: { where: '(1 = 0)' },
  row_limit: 1,
  annotation_layers: [...requireItems(annotation_layers, message('errors.legacy.chartsNeeded', 'Choose charts'))],
})

/** Lines of the named charts, each on its axis. */
export const lineMulti: LayeredType = {
  query: (form) => withLayers(buildLineLayers(form)),
  dataFromLayers: (layers, form) =>
    readChartLines(form, layers).map(({ name, axis, at, values }) => ({
      key: name,
      values: at.map((x, row) => ({ x, y: values[row] ?? null })),
      yAxis: axis + 1,
      type: 'line',
    })),
}

const readSliceIds = (ids: unknown): (number | string)[] =>
  toList(ids).filter((id): id is number | string => Number.isSafeInteger(Number(id)))

/** Overlaid maps of other charts, subject to the viewer's permissions; each is queried by its own form. */
export const deckMulti: LayeredType = {
  query: ({ deck_slices }) => withLayers(buildMapLayers(readSliceIds(deck_slices))),
  dataFromLayers: (layers, { deck_slices }) => ({
    mapboxApiKey: '',
    slices: readSliceIds(deck_slices).flatMap((id) => {
      const { slice_name, form_data } = layers[String(id)] ?? {}
      return form_data ? [{ slice_id: Number(id), slice_name, slice_url: `/explore/?slice_id=${id}`, form_data }] : []
    }),
  }),
}
