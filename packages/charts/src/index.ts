export { control, defineChart } from './define.ts'
export type { AnyChart, ChartDefinition, ChartForm, Control, DatasetFacts, Look, Spec } from './define.ts'
export { chartEntries, chartEntry, loadChart, openForm, upgradeForm, type ChartEntry } from './registry.ts'
export { chartIcons } from './icons.gen.ts'
export { withTemporalColumns } from './temporal-columns.ts'
export { readForm, settle } from './read-form.ts'
export { unknownChart } from './unknown-chart.ts'
export { misfit, misfitInWords } from './fits.ts'
export { controlsOf, errorsOf, withoutHidden, type Field, type FieldGroup } from './controls-of.ts'
export { chartTextId, namedTextId } from './catalog-ids.ts'
export { translateControl } from './explore/translate-control.ts'
export { baseQuery } from './query/base-query.ts'
export {
  buildQueryContext,
  datasourceOf,
  drawnForm,
  namedQueries,
  type ContextOptions,
} from './query/build-query-context.ts'
export { operators, splitFilters } from './query/adhoc-filters.ts'
export { asRecord, mergeExtras, underDashboard, withFilters } from './query/extra-form-data.ts'
export { lookOf, type DatasetLook, type LookOptions } from './look.ts'
export { defaultChoices, maskOf as filterBoxMask } from './filter-box/choices.ts'
export { itemDefaults, type FilterBoxItem } from './filter-box/form.ts'
export { missingFor, supplyOf, type Needs } from './explore/needs.ts'
export {
  fieldsUsed,
  mentionsIn,
  withRenames,
  type FieldsUsed,
  type KnownNames,
  type Renames,
} from './explore/fields-used.ts'
export { lostIn, mayNameLost, renamesOf } from './explore/lost-names.ts'
export { isFilterOn, lostInFilter, namesOfFilter, renamedFilter } from './explore/filter-names.ts'
export { beginsCourse, carryOver } from './explore/carry-over.ts'
export { drillBy, drillColumns, firstDrillColumn, laidOver } from './drill/drill-by.ts'
export { rowCountContext, rowsContext, type RowsAsked } from './drill/rows.ts'
export { keptForm } from './drill/kept-form.ts'
export { formOfQuery, questionsOf, type ChartQuestion } from './drill/form-of-query.ts'
export { rankColumns, type ColumnFacts, type RankedColumns, type TableFacts } from './explore/rank-columns.ts'
export { isNameOfThings } from './explore/names-of-things.ts'
export {
  firstMeasure,
  newGrain,
  suggestForm,
  timeFilter,
  timeColumn,
  totalOf,
  withGuesses,
  type TimeSpan,
} from './explore/suggest-form.ts'
export { colorScale, scaleOf, type ColorScale, type DashboardColors } from './shared/colors/scale.ts'
export { rampColor, ramps } from './shared/colors/ramps.ts'
export { defaultScheme, schemeOf, schemes, type CategoricalScheme } from './shared/colors/schemes.ts'
export { formatter, nullText, shorten, type Currency } from './shared/formats/format.ts'
export { readFormula } from './shared/annotations/formula.ts'
export { readLayers } from './shared/annotations/layers.ts'
export { isTimeFormat } from './shared/formats/time.ts'
export { numberFormats, timeFormats, type Preset } from './shared/formats/presets.ts'
export { joined } from './shared/joined.ts'
export { rowLimits, seriesLimits } from './shared/controls.ts'
export { themes, type ChartTheme } from './resolve/theme.ts'
export type { Mark } from './resolve/marks.ts'
export { escaped, plainSay, type Say } from './resolve/words.ts'
