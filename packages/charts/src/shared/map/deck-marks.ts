import type { Layer } from '@deck.gl/core'
import { ArcLayer, PathLayer, ScatterplotLayer, SolidPolygonLayer, TextLayer } from '@deck.gl/layers'
import { HeatmapLayer, ScreenGridLayer } from '@deck.gl/aggregation-layers'
import type { ChartTheme } from '../../resolve/theme.ts'
import { rampColor } from '../colors/ramps.ts'
import type { Cluster } from './clusters.ts'
import type { CellsLayer, ClustersLayer, HeatLayer } from './layers.ts'
import type { ArcMarks, AreaMarks, LineMarks, MarkGroup, PointMarks, WeightedMarks } from './marks/kinds.ts'
import { cellAlpha, cellSteps, toRgba, toRgb, type Rgba } from './paint.ts'
import { splitRings } from './rings.ts'

/** Returns the colors of all marks as one array. */
function buildColorArray(
  { colors: layerColors, colorIndexes }: Pick<PointMarks, 'colors' | 'colorIndexes'>,
  theme: ChartTheme,
): Uint8ClampedArray {
  const all = layerColors.map((each) => toRgba(each, theme))
  const colors = new Uint8ClampedArray(4 * colorIndexes.length)
  for (let index = 0; index < colorIndexes.length; index++) colors.set(all[colorIndexes[index]!]!, 4 * index)
  return colors
}

/**
 * Returns the deck.gl layers of marks. deck.gl only reevaluates color functions when a trigger changes: here the name of the
 * theme.
 */
export function buildDeckLayer(
  marks: Exclude<MarkGroup, { kind: 'clusters' }>,
  theme: ChartTheme,
  id: string,
): Layer | Layer[] {
  switch (marks.kind) {
    case 'points':
      return pointsLayer(marks, theme, id)
    case 'lines':
      return linesLayer(marks, theme, id)
    case 'areas':
      return areaLayers(marks, theme, id)
    case 'arcs':
      return arcsLayer(marks, theme, id)
    case 'cells':
      return cellsLayer(marks as WeightedMarks, theme, id)
    default:
      return heatLayer(marks as WeightedMarks, theme, id)
  }
}

const pointsLayer = (marks: PointMarks, theme: ChartTheme, id: string) =>
  new ScatterplotLayer({
    id,
    data: {
      length: marks.radii.length,
      attributes: {
        getPosition: { value: marks.positions, size: 2 },
        getRadius: { value: marks.radii, size: 1 },
        getFillColor: { value: buildColorArray(marks, theme), size: 4 },
      },
    },
    radiusUnits: marks.unit,
    radiusMinPixels: marks.minRadius,
    radiusMaxPixels: marks.maxRadius,
    pickable: true,
  })

function linesLayer(
  { lines, colors: layerColors, colorIndexes, width, unit }: LineMarks,
  theme: ChartTheme,
  id: string,
) {
  const colors = layerColors.map((each) => toRgba(each, theme))
  return new PathLayer<Float64Array>({
    id,
    data: lines,
    getPath: (line) => line as never,
    positionFormat: 'XY',
    _pathType: 'open',
    getColor: (_, { index }) => colors[colorIndexes[index]!]!,
    getWidth: width,
    widthUnits: unit,
    widthMinPixels: 1,
    jointRounded: true,
    capRounded: true,
    pickable: true,
    updateTriggers: { getColor: theme.name },
  })
}

function areaLayers(marks: AreaMarks, theme: ChartTheme, id: string): Layer[] {
  const { areas, colors: layerColors, colorIndexes, stroke, isFilled, width, unit, elevations } = marks
  const colors = layerColors.map((each) => toRgba(each, theme))
  const clear: Rgba = [0, 0, 0, 0]
  const edges = stroke ? areas.flatMap(splitRings) : []
  return [
    new SolidPolygonLayer<AreaMarks['areas'][number]>({
      id,
      data: areas as AreaMarks['areas'],
      getPolygon: (area) => area as never,
      positionFormat: 'XY',
      extruded: elevations !== null,
      getElevation: (_, { index }) => elevations?.[index] ?? 0,
      getFillColor: (_, { index }) => (isFilled ? colors[colorIndexes[index]!]! : clear),
      material: { ambient: 0.6, diffuse: 0.5, shininess: 20, specularColor: [60, 60, 60] },
      pickable: true,
      updateTriggers: { getFillColor: theme.name },
    }),
    ...(stroke && elevations === null
      ? [
          new PathLayer<Float64Array>({
            id: `${id}-edges`,
            data: edges,
            getPath: (ring) => ring as never,
            positionFormat: 'XY',
            _pathType: 'open',
            getColor: toRgba(stroke, theme),
            getWidth: width,
            widthUnits: unit,
            widthMinPixels: 0.5,
          }),
        ]
      : []),
  ]
}

const arcsLayer = (marks: ArcMarks, theme: ChartTheme, id: string) => {
  const target = toRgba(marks.target, theme)
  const sources = buildColorArray(marks, theme)
  const targets = marks.isOneColor ? sources : Uint8ClampedArray.from(sources, (_, index) => target[index % 4]!)
  return new ArcLayer({
    id,
    data: {
      length: marks.colorIndexes.length,
      attributes: {
        getSourcePosition: { value: marks.sources, size: 2 },
        getTargetPosition: { value: marks.targets, size: 2 },
        getSourceColor: { value: sources, size: 4 },
        getTargetColor: { value: targets, size: 4 },
      },
    },
    getWidth: marks.width,
    getHeight: 0.6,
    pickable: true,
  })
}

/** Uses rows instead of GPU arrays, because deck.gl's aggregation reads shared arrays incorrectly. */
const weightedData = ({ positions, weights }: WeightedMarks) => ({
  data: Array.from(weights, (_, index) => index),
  getPosition: (index: number): [number, number] => [positions[2 * index]!, positions[2 * index + 1]!],
  getWeight: (index: number): number => weights[index]!,
})

const cellsLayer = (marks: WeightedMarks, theme: ChartTheme, id: string) => {
  const layer = marks.layer as CellsLayer
  return new ScreenGridLayer<number>({
    id,
    ...weightedData(marks),
    cellSizePixels: layer.cellSize,
    cellMarginPixels: 1,
    colorScaleType: 'quantize',
    colorRange: Array.from({ length: cellSteps }, (_, step) =>
      toRgba({ ...layer.color, alpha: cellAlpha((step + 1) / cellSteps, layer) }, theme),
    ),
    gpuAggregation: true,
    aggregation: 'SUM',
    pickable: true,
  })
}

const heatLayer = (marks: WeightedMarks, theme: ChartTheme, id: string) => {
  const { scheme, radius, intensity, isMean } = marks.layer as HeatLayer
  return new HeatmapLayer<number>({
    id,
    ...weightedData(marks),
    radiusPixels: radius,
    intensity,
    threshold: 0.03,
    aggregation: isMean ? 'MEAN' : 'SUM',
    colorRange: [0.2, 0.36, 0.52, 0.68, 0.84, 1].map((index) => toRgb(rampColor(scheme, index, theme.name))),
  })
}

export function clusterLayers(found: Cluster[], marks: WeightedMarks, theme: ChartTheme, id: string): Layer[] {
  const layer = marks.layer as ClustersLayer
  const color = toRgba(layer.color, theme)
  return [
    new ScatterplotLayer<Cluster>({
      id,
      data: found,
      getPosition: ({ longitude, latitude }) => [longitude, latitude],
      getRadius: ({ radius }) => radius,
      radiusUnits: 'pixels',
      getFillColor: color,
      pickable: true,
    }),
    new TextLayer<Cluster>({
      id: `${id}-texts`,
      data: found.filter(({ text }) => text !== ''),
      getPosition: ({ longitude, latitude }) => [longitude, latitude],
      getText: ({ text }) => text,
      getSize: 11,
      getColor: [255, 255, 255, 255],
      fontFamily: theme.font,
      fontWeight: 500,
      characterSet: 'auto',
    }),
  ]
}
