import type { FilterBoxItem } from '@parquetry/charts'
import { labelOfColumn, type QueryColumn, type QueryMetric } from '@parquetry/model'
import { useTranslate } from '@parquetry/ui'
import { columnIcon } from '../../shared/column-icon.ts'
import { useMissingReferenceText } from '../MissingReferences.tsx'
import { ColumnPopover } from './ColumnPopover.tsx'
import { findColumn, findColumnByText, isColumnInDataset, columnDisplayName } from './columns.ts'
import { toValueList, type FieldControlProps } from './field.ts'
import { FilterBoxItemPopover } from './FilterBoxItemPopover.tsx'
import { FilterPopover } from './FilterPopover.tsx'
import {
  isFilterSubject,
  isOnlyTimeColumn,
  isSubjectInDataset,
  formatAdhocFilter,
  type AdhocFilter,
} from './filters.ts'
import { formatRuleText, type FormatRule } from './format-rules.ts'
import { FormatRulePopover } from './FormatRulePopover.tsx'
import { MetricPopover } from './MetricPopover.tsx'
import { isMetricInDataset, parseMetric, metricDisplayName } from './metrics.ts'
import { Pills } from './Pills.tsx'
import { listResultColumns } from './result-columns.ts'
import { TimeColumnPopover, type TimeColumnEntry } from './TimeColumnPopover.tsx'

/** One metric for `metric`, any number for `metrics`. */
export function MetricsControl({ field, dataset, onChange }: FieldControlProps) {
  const t = useTranslate()
  const missing = t('explore.missing.metric', 'This metric might be incompatible with current dataset')
  const formatMissing = useMissingReferenceText()
  const single = field.control.as === 'metric'
  return (
    <Pills<QueryMetric>
      items={toValueList(field) as QueryMetric[]}
      single={single}
      labelOf={(metric) => metricDisplayName(metric, dataset, t)}
      iconOf={() => 'function'}
      missing={(metric) =>
        isMetricInDataset(metric, dataset)
          ? null
          : typeof metric === 'string'
            ? formatMissing('metric', metric, missing)
            : formatMissing('column', metric.column?.column_name, missing)
      }
      onChange={(items) => onChange(single ? items[0] : items)}
      accepts={['metric', 'column', 'time']}
      parseItem={(text) => parseMetric(text, dataset)}
      addLabel={t('explore.add.metric', 'Add a metric')}
      empty={t('explore.empty.metric', 'Add a metric')}
      editor={(metric, done, cancel) => (
        <MetricPopover metric={metric} dataset={dataset} onSave={done} onCancel={cancel} />
      )}
    />
  )
}

/** Any number of columns for `columns`, otherwise one. */
export function ColumnsControl({ field, dataset, onChange }: FieldControlProps) {
  const t = useTranslate()
  const missing = t('explore.missing.column', 'This column might be incompatible with current dataset')
  const formatMissing = useMissingReferenceText()
  const single = field.control.as !== 'columns'
  const isTemporal = field.control.as === 'temporal-column'
  return (
    <Pills<QueryColumn>
      items={toValueList(field) as QueryColumn[]}
      single={single}
      labelOf={(column) => columnDisplayName(column, dataset)}
      iconOf={(column) => (isColumnInDataset(column, dataset) ? columnIcon(findColumn(column, dataset)) : 'warning')}
      missing={(column) =>
        isColumnInDataset(column, dataset) ? null : formatMissing('column', labelOfColumn(column), missing)
      }
      onChange={(items) => onChange(single ? items[0] : items)}
      accepts={isTemporal ? ['time'] : ['column', 'time']}
      parseItem={(text) => {
        const named = findColumnByText(text, dataset)
        return (isTemporal ? named?.is_dttm : named?.groupby) ? named?.column_name : undefined
      }}
      addLabel={t('explore.add.column', 'Add a column')}
      empty={single ? t('explore.empty.axis', 'Choose a column') : t('explore.empty.columns', 'Add a column')}
      editor={(column, done, cancel) => (
        <ColumnPopover column={column} dataset={dataset} temporal={isTemporal} onSave={done} onCancel={cancel} />
      )}
    />
  )
}

/** CTRL-093, CTRL-095: at least 320, and 296 for the tab content inside border and padding. */
const filterWidth = 330

/** Filters of the chart, including those inherited from its dashboard. */
export function FiltersControl({ field, form, dataset, onChange }: FieldControlProps) {
  const t = useTranslate()
  const missing = t('explore.missing.filter', 'This filter might be incompatible with current dataset')
  const formatMissing = useMissingReferenceText()
  const filters = toValueList(field) as AdhocFilter[]
  return (
    <Pills<AdhocFilter>
      items={filters}
      labelOf={(filter) => formatAdhocFilter(filter, dataset.verbose_map)}
      iconOf={(filter) => (filter.isExtra ? 'dashboard' : 'filter')}
      missing={(filter) =>
        isSubjectInDataset(filter, dataset) ? null : formatMissing('column', filter.subject ?? undefined, missing)
      }
      width={filterWidth}
      resizable
      onChange={onChange}
      reasonToKeep={(filter) =>
        isOnlyTimeColumn(filter, filters, form, dataset)
          ? t(
              'explore.filter.lastTemporal',
              'Dashboards apply their time range to this filter, because the chart has no other time column. To show all times, set its range to “No filter”.',
            )
          : null
      }
      accepts={['metric', 'column', 'time']}
      parseItem={(text) => (isFilterSubject(text, dataset) ? null : undefined)}
      addLabel={t('explore.add.filter', 'Add a filter')}
      empty={t('explore.empty.filter', 'Add a filter')}
      editor={(filter, done, cancel, dropped) => (
        <FilterPopover filter={filter} about={dropped} dataset={dataset} onSave={done} onCancel={cancel} />
      )}
    />
  )
}

/** Filters offered by a filter box. */
export function FilterBoxControl({ field, dataset, onChange }: FieldControlProps) {
  const t = useTranslate()
  const missing = t('explore.missing.column', 'This column might be incompatible with current dataset')
  const formatMissing = useMissingReferenceText()
  return (
    <Pills<FilterBoxItem>
      items={toValueList(field) as FilterBoxItem[]}
      labelOf={({ label, column }) => label || column}
      iconOf={() => 'filter'}
      missing={({ column }) => (isColumnInDataset(column, dataset) ? null : formatMissing('column', column, missing))}
      width={filterWidth}
      onChange={onChange}
      addLabel={t('explore.filterBox.add', 'Add filter')}
      empty={t('explore.filterBox.add', 'Add filter')}
      editor={(item, done, cancel) => (
        <FilterBoxItemPopover item={item} dataset={dataset} onSave={done} onCancel={cancel} />
      )}
    />
  )
}

/** Rules that color cells or rows by their values. */
export function FormatRulesControl({ field, form, dataset, onChange }: FieldControlProps) {
  const t = useTranslate()
  const ofRows = field.control.ofRows === true
  const columns = listResultColumns(form, dataset).filter(
    ({ kind }) => kind === 'number' || (ofRows && kind === 'text'),
  )
  return (
    <Pills<FormatRule>
      items={toValueList(field) as FormatRule[]}
      labelOf={(rule) => formatRuleText(rule, columns.find((each) => each.name === rule.column)?.label ?? '')}
      iconOf={() => 'bolt'}
      onChange={onChange}
      addLabel={t('explore.add.rule', 'Add a rule')}
      empty={t('explore.empty.rule', 'Add a rule')}
      editor={(rule, done, cancel) => (
        <FormatRulePopover rule={rule} columns={columns} ofRows={ofRows} onSave={done} onCancel={cancel} />
      )}
    />
  )
}

/** Columns of a time-series table. */
export function TimeColumnsControl({ field, onChange }: FieldControlProps) {
  const t = useTranslate()
  return (
    <Pills<TimeColumnEntry>
      items={toValueList(field) as TimeColumnEntry[]}
      labelOf={({ label, colType }) => label || (colType ?? '')}
      iconOf={({ colType }) => (colType === 'spark' ? 'line' : 'number')}
      onChange={onChange}
      addLabel={t('explore.add.timeColumn', 'Add a time series column')}
      empty={t('explore.add.timeColumn', 'Add a time series column')}
      editor={(column, done, cancel) => <TimeColumnPopover column={column} onSave={done} onCancel={cancel} />}
    />
  )
}
