import type { Frame } from '@parquetry/frame'
import type { AnnotationData, QueryMetric, QueryObject } from '@parquetry/model'
import type { Static, TObject, TSchema } from 'typebox'
import type { Messages } from './resolve/text.ts'

/** What a control or a suggestion may ask of a dataset's columns; a part of the API's dataset object. */
export interface DatasetFacts {
  columns: readonly { column_name: string; is_dttm?: boolean | null; type_generic?: number | null }[]
  metrics?: readonly { metric_name: string }[]
  main_dttm_col?: string | null
  /** Grains of its database, with their names. */
  time_grain_sqla?: readonly (readonly [grain: string | null, label: string])[]
}

/** How a control of the panel looks; the schema beside it says which values fit. */
export interface Control {
  /** English; `npm run gen` collects this and the other texts of a control into the message catalog. */
  label: string
  group: 'query' | 'look' | 'compare'
  /** English heading of those that stand together within the group: a second query, an axis. Those without one come first. */
  section?: string
  description?: string
  /** A kind of control where the schema alone does not say it. */
  as?:
    | 'columns'
    | 'column'
    | 'temporal-column'
    | 'x-axis'
    | 'metrics'
    | 'metric'
    | 'filters'
    | 'time-grain'
    | 'time-range'
    | 'color-scheme'
    | 'linear-scheme'
    | 'number-format'
    | 'time-format'
    | 'currency'
    | 'bounds'
    | 'order-by'
    | 'x-axis-sort'
    | 'text-area'
    | 'code'
    | 'color'
    | 'date'
    | 'offsets'
    | 'column-config'
    | 'metric-bounds'
    | 'conditional-formatting'
    | 'annotation-layers'
    | 'time-columns'
    | 'time-bounds'
    | 'filter-configs'
    | 'spatial'
    | 'viewport'
    | 'map-style'
    | 'fix-or-metric'
    | 'contours'
    | 'maps'
    | 'charts'
  /** Shown only when this holds for the form; `dataset` is left out where nothing is known of it. */
  when?: (form: Record<string, unknown>, dataset?: DatasetFacts) => boolean
  /** False keeps its value while it is hidden; else the edit that hides it takes the value out (CTRL-001). */
  resetOnHide?: false
  /** What a new chart on this dataset begins with, where its columns tell; asked in the order of the controls. */
  guess?: (dataset: DatasetFacts, form: Record<string, unknown>) => unknown
  /** Words for the values of an enumeration. */
  options?: Record<string, string>
  /** Of `column-config`: what the chart shows that is no column of its answer, by its key, with its words. */
  configures?: readonly (readonly [key: string, label: string])[]
  /** Of `metric-bounds`: the keys under which each metric's entry holds its ends. */
  boundKeys?: readonly [lowest: string, highest: string]
  /** Of `color`: it has an opacity as well. */
  hasOpacity?: boolean
  /** Of `conditional-formatting`: rules look at texts as well, and paint whole rows or the text. */
  ofRows?: boolean
  /** Values offered by a control that takes others as well. A value without a label is shown as it is, a number in the user's locale. */
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

/** What a chart knows of its surroundings while it says what to draw. Neither theme nor size: those are the host's. */
export interface SpecContext {
  /**
   * Colours of the labels of this picture as documents store them (light values); the host picks the dark partner. A picture without
   * labels to tell apart gives none: its colour is the scheme's first.
   */
  colorsOf(labels: readonly string[]): (label: string) => string
  /**
   * Name of the number format of a metric: the form's unless that is adaptive, the metric's own, else SMART_NUMBER.
   * @param asked in place of the form's, where it has a format for each of several axes
   */
  formatOf(metric: QueryMetric, asked?: { format: unknown; currency: unknown }): string
  /** Verbose name of a column or metric, else the name itself. */
  displayName(name: string): string
  /** SQL of a saved metric; null where it is not known. */
  expressionOf(metric: string): string | null
  /** Words for pictures in the reader's language: `sayIn(look)('picture.<name>', 'English')`. */
  messages: Messages
  locale: string
  timeZone: string
  /** Up to where the answer reaches in time, in milliseconds: the end of its range, or when it was asked. Null where nobody knows. */
  until: number | null
  /** What the annotation layers hold, by the names of the layers; those that failed are not among them. */
  annotations: Readonly<Record<string, AnnotationData>>
}

/** ECharts' option words plus ours, resolved by ChartHost: see docs/architecture.md, "The spec". Plain JSON. */
export type Spec = Record<string, unknown>

export interface ChartDefinition<F extends TObject = TObject> {
  /** The API's key of the type, as forms store it. */
  viz_type: string
  /** English, like `category` and `description`: `npm run gen` collects them. */
  name: string
  /** Heading of the gallery that it stands under. */
  category: string
  /** Words that the gallery finds and groups it by; `Popular` and `ECharts` are among those offered first. */
  tags: readonly string[]
  description: string
  /** In lists and pickers: a name of the icon set, or lines of its own as path data in a square of 16. */
  icon: string
  /**
   * Kinds of series (`resolve/families`) that its pictures mostly have: fetched while their data is still on the way. None for a
   * chart that draws itself.
   */
  series: readonly string[]
  /** What the gallery's picture is drawn from: the first fixture without words, unless this says another one or more settings. */
  thumbnail?: { fixture?: string; form?: ChartForm }
  /** Fixtures that the gallery shows as examples, their names in words below them: the first two, unless it names others. */
  exampleGallery?: readonly string[]
  /** The gallery offers it to charts alone that have it already. */
  deprecated?: true
  /** Of the badge that the gallery gives it (`label` of its entry), where the usual words do not say why. */
  labelExplanation?: string
  /** As the API lists them. `INTERACTIVE_CHART`: a click on a mark filters the other charts of a dashboard; `NATIVE_FILTER`: its choices do. */
  behaviors: readonly ('INTERACTIVE_CHART' | 'NATIVE_FILTER' | 'DRILL_TO_DETAIL' | 'DRILL_BY')[]
  form: F
  /** Laid over `baseQuery(form)`; keys in order become `queries[]`, and answers come back under the same names. */
  queries(
    form: Static<F> & Record<string, unknown>,
    state: Record<string, unknown>,
  ): Record<string, Partial<QueryObject>>
  /** Of questions with settings of their own, by name: the form that their `baseQuery` is made from. */
  baseForms?: Record<string, (form: Static<F> & Record<string, unknown>) => ChartForm>
  /** Of a chart that asks several things: what people call its questions, by name. Others, such as totals, are no question of theirs. */
  queryLabels?: Record<string, string>
  /** What to draw: an ECharts option in our words, or for a chart that draws itself what its `View.tsx` and `svg.ts` take. */
  spec(frames: Record<string, Frame>, form: Static<F> & Record<string, unknown>, look: SpecContext): Spec
  /** Settings that a form begins with when it becomes one of this type; what is stored already is not touched. */
  initialSettings?: ChartForm
  /** Older viz types that this one takes over, each with the function that turns the old form into ours. */
  replaces?: Record<string, (form: Record<string, unknown>) => Record<string, unknown>>
}

/** A form as stored or as it comes: open, nothing checked, nothing filled in. */
export type ChartForm = Record<string, unknown>

/** Says a chart type; default export of its `chart.ts`. The type keeps the form, so that `queries` and `spec` know every setting. */
export const defineChart = <const F extends TObject>(chart: ChartDefinition<F>): ChartDefinition<F> => chart

/** A chart whose form's shape is not known here: what the registry gives. */
// oxlint-disable-next-line typescript/no-explicit-any -- a chart of any form; `settle` makes the form fit before it is used
export type AnyChart = ChartDefinition<any>
