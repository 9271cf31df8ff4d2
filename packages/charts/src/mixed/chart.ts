import { defineChart } from '../define.ts'
import { seriesQueries, type SeriesForm } from '../shared/time-series/query.ts'
import { form, queryTitles } from './form.ts'
import { firstQueryForm, secondQueryForm } from './sections.ts'
import { mixedSpec } from './spec.ts'
import { fromDualLine, upgradeStoredForm } from './legacy-forms.ts'

const sectionQuery = (settings: Record<string, unknown>) => seriesQueries(settings as SeriesForm).series

/** Two queries over one axis; `series` and `series_b` have one column per series, as in other time series. */
export default defineChart({
  viz_type: 'mixed_timeseries',
  name: 'Mixed Chart',
  category: 'Evolution',
  tags: ['Advanced-Analytics', 'ECharts', 'Line', 'Multi-Variables', 'Time', 'Transformable', 'Popular'],
  description: 'Combines two queries over the same time, such as bars with a line or two metrics on separate y axes.',
  icon: 'M2.5 13.5v-4M6 13.5V7.5M9.5 13.5v-3M13 13.5v-5M2 6.5l4-3 3.5 2 4.5-3.5',
  series: ['line', 'bar'],
  thumbnail: { fixture: 'rain-and-temperature', form: { yAxisTitleSecondary: null } },
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  initialSettings: { only_total: true, only_totalB: true, metrics_b: [], groupby_b: [], adhoc_filters_b: [] },
  queries: (settings) => ({
    series: sectionQuery(firstQueryForm(settings)),
    ...(settings.metrics_b.length > 0 && { series_b: sectionQuery(secondQueryForm(settings)) }),
  }),
  baseForms: { series_b: secondQueryForm },
  queryLabels: { series: queryTitles.A, series_b: queryTitles.B },
  spec: mixedSpec,
  replaces: { mixed_timeseries: upgradeStoredForm, dual_line: fromDualLine },
})
