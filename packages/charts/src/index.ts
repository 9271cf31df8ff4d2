export { control, defineChart } from './define.ts'
export type { AnyChart, ChartDefinition, ChartForm, Control, DatasetFacts, SpecContext, Spec } from './define.ts'
export {
  chartEntries,
  chartEntry,
  loadChart,
  loadStoredForm,
  pluginEntries,
  registerPlugins,
  upgradeForm,
  type ChartEntry,
} from './registry.ts'
export { chartIcons } from './icons.gen.ts'
export { findNativeChart, type NativeChartKind } from './native-charts.ts'
export { withTemporalColumns } from './temporal-columns.ts'
export { readForm, applyDefaults } from './read-form.ts'
export { unknownChart } from './unknown-chart.ts'
export { validateValue, formatValidationError } from './validate-value.ts'
export { buildFieldGroups, findBlockingErrors, resetHiddenValues, type Field, type FieldGroup } from './field-groups.ts'
export { chartTextId, namedTextId } from './catalog-ids.ts'
export { translateControl } from './explore/translate-control.ts'
export { baseQuery } from './query/base-query.ts'
export { addExtras } from './query/add-extras.ts'
export {
  buildQueryContext,
  parseDatasource,
  resolveForm,
  namedQueries,
  type QueryContextOptions,
} from './query/build-query-context.ts'
export { listRequestedLayers } from './query/requested-layers.ts'
export { buildDownloadContext } from './query/build-download-context.ts'
export { operators, splitFilters } from './query/adhoc-filters.ts'
export { asRecord, mergeExtras, applyDashboardOverrides, withFilters } from './query/extra-form-data.ts'
export { classifyAggregate } from './shared/aggregate-kind.ts'
export { buildSpecContext, type DatasetDisplay, type SpecContextOptions } from './spec-context.ts'
export { defaultChoices, buildFilterBoxMask as filterBoxMask } from './filter-box/choices.ts'
export { itemDefaults, type FilterBoxItem } from './filter-box/form.ts'
export { findUnmetRequirement, countDatasetFields, type DataRequirements } from './explore/data-requirements.ts'
export {
  fieldsUsed,
  createMentionMatcher,
  renameFields,
  type FieldsUsed,
  type KnownNames,
  type Renames,
} from './explore/fields-used.ts'
export { findMissingReferences, canHaveMissingReferences, toRenames } from './explore/missing-references.ts'
export {
  isFilterOnDataset,
  findMissingInFilter,
  findFilterFields,
  renameFilterFields,
} from './explore/filter-fields.ts'
export { needsTimeGrain, carryOver } from './explore/carry-over.ts'
export { drillBy, drillColumns, firstDrillColumn, withQueryFilters } from './drill/drill-by.ts'
export { buildRowCountContext, buildDrillRowsContext, type DrillRowsOptions } from './drill/rows.ts'
export { toStandaloneForm } from './drill/standalone-form.ts'
export { resolveQueryForm, listChartQueries, type ChartQuery } from './drill/query-form.ts'
export { rankColumns, type ColumnFacts, type RankedColumns, type TableFacts } from './explore/rank-columns.ts'
export { isNonAdditiveName } from './explore/non-additive-name.ts'
export {
  firstMetric,
  listSavedMetrics,
  buildAverageMetric,
  pickTimeGrain,
  suggestForm,
  timeFilter,
  timeColumn,
  buildSumMetric,
  fillRequiredSettings,
} from './explore/suggest-form.ts'
export type { TimeSpan } from './shared/grain.ts'
export {
  colorScale,
  resolveColorScale,
  type ColorScale,
  type ColorScaleOptions,
  type DashboardColors,
  type LabelSlots,
} from './shared/colors/scale.ts'
export { rampColor, ramps } from './shared/colors/ramps.ts'
export { defaultScheme, schemeOf, schemes, type CategoricalScheme } from './shared/colors/schemes.ts'
export { formatter, formatText, formatValue, nullText, shorten, type Currency } from './shared/formats/format.ts'
export { readFormula } from './shared/annotations/formula.ts'
export { readAnnotationLayers } from './shared/annotations/layers.ts'
export { isTimeFormat } from './shared/formats/time.ts'
export { numberFormats, timeFormats, type Preset } from './shared/formats/presets.ts'
export { joinFrames } from './shared/join-frames.ts'
export { rowLimits, seriesLimits } from './shared/controls.ts'
export { toThemeColor } from './resolve/paint.ts'
export { themes, type ChartTheme } from './resolve/theme.ts'
export type { Mark } from './resolve/marks.ts'
export { escapeHtml, englishTranslator, type Translate } from './resolve/text.ts'
export {
  appliedTokens,
  checkTheme,
  modeOfTheme,
  readTheme,
  type RemovalReason,
  type RemovedPart,
  type ThemeDocument,
  type ThemeError,
  type ThemeMode,
} from './shared/theme/theme-document.ts'
export {
  findContrastFaults,
  resolveThemeVariables,
  type ContrastFault,
  type ThemeVariables,
} from './shared/theme/theme-variables.ts'
