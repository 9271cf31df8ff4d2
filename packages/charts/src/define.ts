import type { Frame } from '@parquetry/frame'
import type { AnnotationData, QueryMetric, QueryObject } from '@parquetry/model'
import type { Static, TObject, TSchema } from 'typebox'
import type { Messages } from './resolve/text.ts'

/** Facts about a dataset's columns for controls and suggestions; a subset of the API's dataset object. */
export interface DatasetFacts {
  columns: readonly { column_name: string; is_dttm?: boolean | null; type_generic?: number | null }[]
  metrics?: readonly { metric_name: string }[]
  main_dttm_col?: string | null
  /** Time grains of its database, with their labels. */
  time_grain_sqla?: readonly (readonly [grain: string | null, label: string])[]
}

/** Kinds of controls beyond those that follow from a schema. */
export const controlKinds = [
  'columns',
  'column',
  'temporal-column',
  'x-axis',
  'metrics',
  'metric',
  'filters',
  'time-grain',
  'time-range',
  'color-scheme',
  'linear-scheme',
  'number-format',
  'time-format',
  'currency',
  'bounds',
  'order-by',
  'x-axis-sort',
  'text-area',
  'code',
  'color',
  'date',
  'offsets',
  'column-config',
  'metric-bounds',
  'conditional-formatting',
  'annotation-layers',
  'time-columns',
  'time-bounds',
  'filter-configs',
  'spatial',
  'viewport',
  'map-style',
  'fix-or-metric',
  'contours',
  'maps',
  'charts',
] as const

export type ControlKind = (typeof controlKinds)[number]

/** Appearance of a control; its schema defines the valid values. */
export interface Control {
  /** English; `npm run gen` collects this and the other texts of a control into the message catalog. */
  label: string
  group: 'query' | 'look' | 'compare'
  /** English heading of a subsection of the group, such as a second query or an axis. Controls without one come first. */
  section?: string
  description?: string
  /** Kind of control, if the schema alone does not determine it. */
  as?: ControlKind
  /** The control is shown only when this holds for the form; `dataset` is omitted if unknown. */
  when?: (form: Record<string, unknown>, dataset?: DatasetFacts) => boolean
  /** The setting may not be empty in a form for which this holds, although its schema allows it. */
  required?: (form: ChartForm) => boolean
  /** False keeps the value while the control is hidden; otherwise the edit that hides it removes the value (CTRL-001). */
  resetOnHide?: false
  /** Initial value of a new chart on this dataset, derived from its columns; called in the order of the controls. */
  guess?: (dataset: DatasetFacts, form: Record<string, unknown>) => unknown
  /** Labels of enumeration values. */
  options?: Record<string, string>
  /** For `column-config`: parts of the chart that are not result columns, by key, with their labels. */
  configures?: readonly (readonly [key: string, label: string])[]
  /** For `metric-bounds`: keys of the bounds in each metric's entry. */
  boundKeys?: readonly [lowest: string, highest: string]
  /** The texts come from a plugin and are shown unchanged. */
  isVerbatim?: true
  /** For `color`: the color has an opacity. */
  hasOpacity?: boolean
  /** For `conditional-formatting`: rules also apply to texts, and color whole rows or the text. */
  ofRows?: boolean
  /**
   * Suggested values of a control that accepts others as well. A value without a label is shown unchanged, a number in the user's
   * locale.
   */
  presets?: readonly (readonly [value: string | number, label?: string])[]
}

/**
 * Adds a control to a schema. Copies property descriptors: a plain spread would lose `Optional`, which is not enumerable.
 * @see docs/decisions/0003-chart-forms.md
 */
export const control = <T extends TSchema>(schema: T, look: Control): T =>
  Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(schema), control: { value: look, enumerable: true } },
  ) as T

/** Context in which a chart builds its spec. Theme and size are not included: they belong to the host. */
export interface SpecContext {
  /**
   * Colors of this chart's labels as stored in documents (light values); the host picks their dark counterparts. A chart without
   * labels to distinguish passes none and uses the scheme's first color.
   */
  colorsOf(labels: readonly string[]): (label: string) => string
  /** See `ColorScaleOptions`. Charts that draw other charts pass it on. */
  isAnalogous: boolean
  /**
   * Name of the number format of a metric: the form's unless it is adaptive, else the metric's own, else SMART_NUMBER.
   * @param override replaces the form's format, for forms with a format per axis
   */
  formatOf(metric: QueryMetric, override?: { format: unknown; currency: unknown }): string
  /** Name under which a column or metric is shown: `resolveDisplayName`. */
  displayName(name: string): string
  /** SQL of a saved metric; null if unknown. */
  expressionOf(metric: string): string | null
  /** Chart texts in the user's language: `sayIn(look)('picture.<name>', 'English')`. */
  messages: Messages
  locale: string
  timeZone: string
  /** Time up to which the result extends, in milliseconds: the end of its range, or when it was queried. Null when unknown. */
  until: number | null
  /** Data of the annotation layers, by layer name; failed layers are missing. */
  annotations: Readonly<Record<string, AnnotationData>>
}

/** ECharts option names plus ours, resolved by ChartHost: see docs/architecture.md, "The spec". Plain JSON. */
export type Spec = Record<string, unknown>

export interface ChartDefinition<F extends TObject = TObject> {
  /** The API's key of the type, as forms store it. */
  viz_type: string
  /** English, like `category` and `description`: `npm run gen` collects them. */
  name: string
  /** Heading of the gallery under which it is listed. */
  category: string
  /** Keywords by which the gallery finds and groups it; `Popular` and `ECharts` are among those offered first. */
  tags: readonly string[]
  description: string
  /** Icon in lists and pickers: a name of the icon set, or path data of its lines in a 16×16 square. */
  icon: string
  /**
   * Kinds of series (`resolve/families`) that the chart usually has, prefetched while its data is loading. Empty for a chart that
   * draws itself.
   */
  series: readonly string[]
  /**
   * Overrides for the gallery thumbnail: its fixture (by default the first one) and settings. Thumbnails are drawn without text.
   */
  thumbnail?: { fixture?: string; form?: ChartForm }
  /** Fixtures shown as examples in the gallery, with their names as captions; by default the first two. */
  exampleGallery?: readonly string[]
  /** The gallery offers it only to charts that already have this type. */
  deprecated?: true
  /** Explanation of its gallery badge (`label` of its entry), if the default text does not explain it. */
  labelExplanation?: string
  /**
   * As listed by the API. `INTERACTIVE_CHART`: a click on a mark filters the other charts of a dashboard; `NATIVE_FILTER`: its
   * choices do.
   */
  behaviors: readonly ('INTERACTIVE_CHART' | 'NATIVE_FILTER' | 'DRILL_TO_DETAIL' | 'DRILL_BY')[]
  form: F
  /** Merged over `baseQuery(form)`; keys in order become `queries[]`, and results have the same names. */
  queries(
    form: Static<F> & Record<string, unknown>,
    state: Record<string, unknown>,
  ): Record<string, Partial<QueryObject>>
  /** For queries with their own settings, by name: the form from which their `baseQuery` is built. */
  baseForms?: Record<string, (form: Static<F> & Record<string, unknown>) => ChartForm>
  /** For a chart with several queries: their display names, by name. Auxiliary queries, such as totals, are not listed. */
  queryLabels?: Record<string, string>
  /** Builds an ECharts option in our format, or the input of `View.tsx` and `svg.ts` for a chart that draws itself. */
  spec(frames: Record<string, Frame>, form: Static<F> & Record<string, unknown>, context: SpecContext): Spec
  /** Initial settings of a form that changes to this type; stored settings stay unchanged. */
  initialSettings?: ChartForm
  /** Legacy viz types that this one replaces, each with the function that converts its form. */
  replaces?: Record<string, (form: Record<string, unknown>) => Record<string, unknown>>
}

/** A form as stored or received: it may have any keys, and is not validated or filled with defaults. */
export type ChartForm = Record<string, unknown>

/**
 * Defines a chart type; default export of its `chart.ts`. The type parameter preserves the form, so that `queries` and `spec`
 * know every setting.
 */
export const defineChart = <const F extends TObject>(chart: ChartDefinition<F>): ChartDefinition<F> => chart

/** A chart whose form type is unknown, as returned by the registry. */
// oxlint-disable-next-line typescript/no-explicit-any -- a chart of any form; `settle` makes the form fit before it is used
export type AnyChart = ChartDefinition<any>
