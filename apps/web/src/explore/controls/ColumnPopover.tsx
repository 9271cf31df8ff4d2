import type { AdhocColumn, QueryColumn } from '@parquetry/model'
import { Button, Field, Select, Tabs, TextInput, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import type { ExploreDataset } from '../use-explore.ts'
import { columnIcon } from '../../shared/column-icon.ts'
import { findColumn } from './columns.ts'
import { ExpressionField } from './ExpressionField.tsx'
import { ExpressionPreviewButton } from '../../shared/sql-field/ExpressionPreviewButton.tsx'
import { useExpressionCheck } from '../../shared/sql-field/use-expression-check.ts'
import styles from './controls.module.css'

export interface ColumnPopoverProps {
  column: QueryColumn | null
  dataset: ExploreDataset
  /** Only temporal columns are offered. */
  temporal?: boolean
  onSave(column: QueryColumn): void
  onCancel(): void
}

type Kind = 'saved' | 'simple' | 'sql'

/** A column that has an expression is a saved (calculated) one. */
const classifyColumn = (column: QueryColumn | null, dataset: ExploreDataset): Kind =>
  column !== null && findColumn(column, dataset)?.expression ? 'saved' : 'simple'

/**
 * Editor of a column: a saved expression, a column of the dataset, or a named custom expression. Picking a column saves
 * immediately.
 */
export function ColumnPopover({ column, dataset, temporal, onSave, onCancel }: ColumnPopoverProps) {
  const t = useTranslate()
  const before: AdhocColumn | undefined = column !== null && typeof column !== 'string' ? column : undefined
  const [kind, setKind] = useState<Kind>(before ? 'sql' : classifyColumn(column, dataset))
  const [expression, setExpression] = useState(before?.sqlExpression ?? '')
  const [label, setLabel] = useState(before?.label ?? '')
  const offered = dataset.columns.filter(
    ({ is_dttm, groupby, expression: saved }) =>
      (temporal ? is_dttm : groupby) && Boolean(saved) === (kind === 'saved'),
  )
  const sql = expression.trim()
  const fault = useExpressionCheck(dataset, kind === 'sql' ? { kind: 'column', sql: expression } : null)

  return (
    <form
      className={styles.popover}
      onSubmit={(event) => {
        event.preventDefault()
        if (kind === 'sql' && sql && fault === null)
          onSave({ ...before, expressionType: 'SQL', sqlExpression: sql, label: label.trim() || sql })
      }}
    >
      <Tabs<Kind>
        value={kind}
        onChange={setKind}
        label={t('explore.column.kind', 'Column type')}
        tabs={[
          { value: 'saved', label: t('explore.column.saved', 'Saved') },
          { value: 'simple', label: t('explore.column.simple', 'Simple') },
          { value: 'sql', label: t('explore.column.sql', 'Custom SQL') },
        ]}
      />
      {kind !== 'sql' ? (
        offered.length === 0 ? (
          <p className={styles.note}>
            {kind === 'saved'
              ? t('explore.column.noSaved', 'No saved expressions found')
              : temporal
                ? t('explore.column.noTemporal', 'No temporal columns found')
                : t('explore.column.none', 'No columns found')}
          </p>
        ) : (
          <Field label={t('explore.column.column', 'Column')}>
            <Select<string>
              data-autofocus
              value={typeof column === 'string' ? column : null}
              onChange={(name) => name && onSave(name)}
              options={offered.map((each) => ({
                value: each.column_name,
                label: each.verbose_name || each.column_name,
                icon: columnIcon(each),
                note: (each.type ?? '').toLowerCase(),
              }))}
            />
          </Field>
        )
      ) : (
        <>
          <ExpressionField
            label={t('explore.column.expression', 'SQL expression')}
            value={expression}
            onChange={setExpression}
            dataset={dataset}
            fault={fault}
          />
          <ExpressionPreviewButton source={dataset} kind="column" sql={expression} isFaulty={fault !== null} />
          <Field label={t('explore.column.name', 'Name')}>
            <TextInput
              value={label}
              onChange={setLabel}
              placeholder={t('explore.metric.nameOf', 'Same as expression')}
            />
          </Field>
          <div className={styles.foot}>
            <Button onClick={onCancel}>{t('explore.popover.cancel', 'Cancel')}</Button>
            <Button
              variant="primary"
              type="submit"
              disabledReason={
                sql && fault === null ? undefined : t('explore.column.write', 'Enter a valid expression first')
              }
            >
              {t('explore.popover.save', 'Save')}
            </Button>
          </div>
        </>
      )}
    </form>
  )
}
