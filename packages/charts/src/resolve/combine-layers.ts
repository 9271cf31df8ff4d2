import type { Layer, MarkRef } from './layer.ts'

/** Combines layers into one chart: series are numbered consecutively, and the up and down keys continue in the adjacent layer. */
export function combineLayers(layers: readonly Layer[]): Layer {
  const owners = layers.flatMap((layer, of) => layer.series.map((_, series) => ({ layer, of, series })))
  const through = (of: number, place: MarkRef | null): MarkRef | null =>
    place && { ...place, series: owners.findIndex((owner) => owner.of === of && owner.series === place.series) }
  const inside = ({ series, at }: MarkRef) => {
    const owner = owners[series]
    return owner && { ...owner, place: { series: owner.series, at } }
  }
  return {
    series: layers.flatMap(({ series }) => series),
    components: Object.assign({}, ...layers.map(({ components }) => components)) as Layer['components'],
    legend: layers.flatMap(({ legend }) => legend),
    isEmpty: layers.every(({ isEmpty }) => isEmpty),
    describe: (kind) => layers.map((layer) => layer.describe(kind)).join(' '),
    tip(hovered, index) {
      const owner = hovered === null ? undefined : owners[hovered]
      return owner
        ? owner.layer.tip(owner.series, index)
        : (layers[0]?.tip(null, index) ?? { title: '', rows: [], more: 0, total: null })
    },
    has(place) {
      const found = inside(place)
      return found?.layer.has(found.place) ?? false
    },
    facts(place) {
      const found = inside(place)
      return found?.layer.facts(found.place) ?? null
    },
    opening(place) {
      const found = inside(place)
      return found?.layer.opening?.(found.place)
    },
    navigate(from, move) {
      const found = from && inside(from)
      if (!found) return through(0, layers[0]?.navigate(null, move) ?? null)
      const next = through(found.of, found.layer.navigate(found.place, move))
      if (next || (move !== 'down' && move !== 'up')) return next
      const beside = found.of + (move === 'down' ? 1 : -1)
      return through(beside, layers[beside]?.navigate(null, 'first') ?? null)
    },
    fromTarget: (series, target) => owners[series]?.layer.fromTarget(owners[series].series, target) ?? -1,
    toTarget(place) {
      const found = inside(place)
      return found?.layer.toTarget(found.place) ?? { dataIndex: place.at }
    },
  }
}
