import type { FilterBoxItem } from '@parquetry/charts'
import { labelOfColumn, type QueryColumn, type QueryMetric } from '@parquetry/model'
import { useText } from '@parquetry/ui'
import { iconOfColumn } from '../../shared/column-icon.ts'
import { useMissingWords } from '../LostNames.tsx'
import { ColumnPopover } from './ColumnPopover.tsx'
import { columnOf, columnOfText, isColumnThere, wordsOfColumn } from './columns.ts'
import { listOf, type FieldControlProps } from './field.ts'
import { FilterBoxItemPopover } from './FilterBoxItemPopover.tsx'
import { FilterPopover } from './FilterPopover.tsx'
import { isFilterSubject, isSubjectThere, wordsOfFilter, type AdhocFilter } from './filters.ts'
import { wordsOfRule, type FormatRule } from './format-rules.ts'
import { FormatRulePopover } from './FormatRulePopover.tsx'
import { MetricPopover } from './MetricPopover.tsx'
import { isMetricThere, metricOfText, wordsOfMetric } from './metrics.ts'
import { Pills } from './Pills.tsx'
import { shownColumns } from './shown-columns.ts'
import { TimeColumnPopover, type TimeColumnEntry } from './TimeColumnPopover.tsx'

/** Of `metric` one, of `metrics` as many as one likes. */
export function MetricSlots({ field, dataset, onChange }: FieldControlProps) {
  const t = useText()
  const missing = t('explore.missing.metric', 'This metric might be incompatible with current dataset')
  const say = useMissingWords()
  const single = field.control.as === 'metric'
  return (
    <Pills<QueryMetric>
      items={listOf(field) as QueryMetric[]}
      single={single}
      wordsOf={(metric) => wordsOfMetric(metric, dataset)}
      iconOf={() => 'function'}
      missing={(metric) =>
        isMetricThere(metric, dataset)
          ? null
          : typeof metric === 'string'
            ? say('metric', metric, missing)
            : say('column', metric.column?.column_name, missing)
      }
      onChange={(items) => onChange(single ? items[0] : items)}
      takes={['metric', 'column', 'time']}
      itemOf={(text) => metricOfText(text, dataset)}
      addLabel={t('explore.add.metric', 'Add a metric')}
      empty={t('explore.empty.metric', 'Add a metric')}
      editor={(metric, done, cancel) => (
        <MetricPopover metric={metric} dataset={dataset} onSave={done} onCancel={cancel} />
      )}
    />
  )
}

/** Of `columns` as many as one likes, else one. */
export function ColumnSlots({ field, dataset, onChange }: FieldControlProps) {
  const t = useText()
  const missing = t('explore.missing.column', 'This column might be incompatible with current dataset')
  const say = useMissingWords()
  const single = field.control.as !== 'columns'
  const isTemporal = field.control.as === 'temporal-column'
  return (
    <Pills<QueryColumn>
      items={listOf(field) as QueryColumn[]}
      single={single}
      wordsOf={(column) => wordsOfColumn(column, dataset)}
      iconOf={(column) => (isColumnThere(column, dataset) ? iconOfColumn(columnOf(column, dataset)) : 'warning')}
      missing={(column) => (isColumnThere(column, dataset) ? null : say('column', labelOfColumn(column), missing))}
      onChange={(items) => onChange(single ? items[0] : items)}
      takes={isTemporal ? ['time'] : ['column', 'time']}
      itemOf={(text) => {
        const named = columnOfText(text, dataset)
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

/** CTRL-093, CTRL-095: 320 at least, and 296 inside edge and padding for what the tabs show. */
const filterWidth = 330

/** Filters of the chart itself; those of its dashboard stand among them. */
export function FilterSlots({ field, dataset, onChange }: FieldControlProps) {
  const t = useText()
  const missing = t('explore.missing.filter', 'This filter might be incompatible with current dataset')
  const say = useMissingWords()
  return (
    <Pills<AdhocFilter>
      items={listOf(field) as AdhocFilter[]}
      wordsOf={(filter) => wordsOfFilter(filter, dataset.verbose_map)}
      iconOf={(filter) => (filter.isExtra ? 'dashboard' : 'filter')}
      missing={(filter) =>
        isSubjectThere(filter, dataset) ? null : say('column', filter.subject ?? undefined, missing)
      }
      width={filterWidth}
      resizable
      onChange={onChange}
      takes={['metric', 'column', 'time']}
      itemOf={(text) => (isFilterSubject(text, dataset) ? null : undefined)}
      addLabel={t('explore.add.filter', 'Add a filter')}
      empty={t('explore.empty.filter', 'Add a filter')}
      editor={(filter, done, cancel, dropped) => (
        <FilterPopover filter={filter} about={dropped} dataset={dataset} onSave={done} onCancel={cancel} />
      )}
    />
  )
}

/** The filters that a chart of filters offers. */
export function FilterBoxSlots({ field, dataset, onChange }: FieldControlProps) {
  const t = useText()
  const missing = t('explore.missing.column', 'This column might be incompatible with current dataset')
  const say = useMissingWords()
  return (
    <Pills<FilterBoxItem>
      items={listOf(field) as FilterBoxItem[]}
      wordsOf={({ label, column }) => label || column}
      iconOf={() => 'filter'}
      missing={({ column }) => (isColumnThere(column, dataset) ? null : say('column', column, missing))}
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
export function FormatRuleSlots({ field, form, dataset, onChange }: FieldControlProps) {
  const t = useText()
  const ofRows = field.control.ofRows === true
  const columns = shownColumns(form, dataset).filter(({ kind }) => kind === 'number' || (ofRows && kind === 'text'))
  return (
    <Pills<FormatRule>
      items={listOf(field) as FormatRule[]}
      wordsOf={(rule) => wordsOfRule(rule, columns.find((each) => each.name === rule.column)?.words ?? '')}
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

/** Columns of a table of time series. */
export function TimeColumnSlots({ field, onChange }: FieldControlProps) {
  const t = useText()
  return (
    <Pills<TimeColumnEntry>
      items={listOf(field) as TimeColumnEntry[]}
      wordsOf={({ label, colType }) => label || (colType ?? '')}
      iconOf={({ colType }) => (colType === 'spark' ? 'line' : 'number')}
      onChange={onChange}
      addLabel={t('explore.add.timeColumn', 'Add a time series column')}
      empty={t('explore.add.timeColumn', 'Add a time series column')}
      editor={(column, done, cancel) => <TimeColumnPopover column={column} onSave={done} onCancel={cancel} />}
    />
  )
}
