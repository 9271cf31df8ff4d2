import type { Layer, Place } from './layer.ts'

/** Layers as one picture: series are counted through, and the arrow keys go up and down from one layer to the next. */
export function stackOf(layers: readonly Layer[]): Layer {
  const owners = layers.flatMap((layer, of) => layer.series.map((_, series) => ({ layer, of, series })))
  const through = (of: number, place: Place | null): Place | null =>
    place && { ...place, series: owners.findIndex((owner) => owner.of === of && owner.series === place.series) }
  const inside = ({ series, at }: Place) => {
    const owner = owners[series]
    return owner && { ...owner, place: { series: owner.series, at } }
  }
  return {
    series: layers.flatMap(({ series }) => series),
    components: Object.assign({}, ...layers.map(({ components }) => components)) as Layer['components'],
    legend: layers.flatMap(({ legend }) => legend),
    isEmpty: layers.every(({ isEmpty }) => isEmpty),
    describe: (kind) => layers.map((layer) => layer.describe(kind)).join(' '),
    tip(hovered, at) {
      const owner = hovered === null ? undefined : owners[hovered]
      return owner
        ? owner.layer.tip(owner.series, at)
        : (layers[0]?.tip(null, at) ?? { title: '', rows: [], more: 0, total: null })
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
    walk(from, move) {
      const found = from && inside(from)
      if (!found) return through(0, layers[0]?.walk(null, move) ?? null)
      const next = through(found.of, found.layer.walk(found.place, move))
      if (next || (move !== 'down' && move !== 'up')) return next
      const beside = found.of + (move === 'down' ? 1 : -1)
      return through(beside, layers[beside]?.walk(null, 'first') ?? null)
    },
    atOf: (series, target) => owners[series]?.layer.atOf(owners[series].series, target) ?? -1,
    targetOf(place) {
      const found = inside(place)
      return found?.layer.targetOf(found.place) ?? { dataIndex: place.at }
    },
  }
}
