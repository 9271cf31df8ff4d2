import type { Frame } from '@parquetry/frame'
import { ChartHost } from '@parquetry/charts/views'
import { genericOf } from '@parquetry/frame'
import { Select, useTranslate } from '@parquetry/ui'
import { useMemo, useState } from 'react'
import { buildQuickChart, suggestQuickChart, type Aggregate, type QuickChartKind } from './quick-chart.ts'
import styles from './results.module.css'

export interface QuickChartProps {
  frame: Frame
}

const counted = 'count'

/** A chart of the fetched rows, drawn immediately without a dataset. */
export function QuickChart({ frame }: QuickChartProps) {
  const t = useTranslate()
  const [choice, setChoice] = useState(() => suggestQuickChart(frame))
  const quickChart = useMemo(() => buildQuickChart(frame, choice), [frame, choice])
  const kinds: Record<QuickChartKind, string> = {
    bar: t('sqllab.quick.bar', 'Bar'),
    line: t('sqllab.quick.line', 'Line'),
    area: t('sqllab.quick.area', 'Area'),
    scatter: t('sqllab.quick.scatter', 'Scatter'),
    pie: t('sqllab.quick.pie', 'Pie'),
  }
  const aggregates: Record<Exclude<Aggregate, 'COUNT'>, string> = {
    SUM: t('sqllab.quick.sum', 'Sum'),
    AVG: t('sqllab.quick.avg', 'Mean'),
    MIN: t('sqllab.quick.min', 'Minimum'),
    MAX: t('sqllab.quick.max', 'Maximum'),
  }
  const numbers = frame.columns.flatMap((column, index) => (genericOf(column) === 0 ? [index] : []))
  const nameOf = (index: number): string => frame.columns[index]?.name ?? ''
  const icon = { bar: 'chart', line: 'line', area: 'area', scatter: 'chart', pie: 'pie' } as const
  return (
    <div className={styles.quick}>
      <div className={styles.quickBar}>
        <Select<QuickChartKind>
          compact
          prefix={t('sqllab.quick.kind', 'Chart type')}
          aria-label={t('sqllab.quick.kind', 'Chart type')}
          value={choice.kind}
          options={(Object.keys(kinds) as QuickChartKind[]).map((value) => ({
            value,
            label: kinds[value],
            icon: icon[value],
          }))}
          onChange={(kind) => kind && setChoice({ ...choice, kind })}
        />
        <Select
          compact
          prefix={t('sqllab.quick.x', 'X')}
          aria-label={t('sqllab.quick.x', 'X')}
          value={String(choice.x)}
          options={frame.columns.map(({ name }, index) => ({ value: String(index), label: name }))}
          onChange={(value) => value !== null && setChoice({ ...choice, x: Number(value) })}
        />
        <Select
          compact
          prefix={t('sqllab.quick.y', 'Y')}
          aria-label={t('sqllab.quick.y', 'Y')}
          value={choice.y === null ? counted : String(choice.y)}
          options={[
            { value: counted, label: t('sqllab.quick.count', 'Number of rows') },
            ...numbers.map((index) => ({ value: String(index), label: nameOf(index) })),
          ]}
          onChange={(value) =>
            value !== null &&
            setChoice(
              value === counted
                ? { ...choice, y: null, aggregate: 'COUNT' }
                : {
                    ...choice,
                    y: Number(value),
                    aggregate: choice.aggregate === 'COUNT' ? 'SUM' : choice.aggregate,
                  },
            )
          }
        />
        {choice.y !== null && choice.kind !== 'scatter' && (
          <Select
            compact
            prefix={t('sqllab.quick.aggregate', 'Aggregate')}
            aria-label={t('sqllab.quick.aggregate', 'Aggregate')}
            value={choice.aggregate as keyof typeof aggregates}
            options={(Object.keys(aggregates) as (keyof typeof aggregates)[]).map((value) => ({
              value,
              label: aggregates[value],
            }))}
            onChange={(aggregate) => aggregate && setChoice({ ...choice, aggregate })}
          />
        )}
        <span className={styles.quickNote}>
          {quickChart && quickChart.points < quickChart.all
            ? t('sqllab.quick.cut', 'First {points, number} of {all, number} points, based on loaded rows', {
                points: quickChart.points,
                all: quickChart.all,
              })
            : t('sqllab.quick.from', 'Based on loaded rows')}
        </span>
      </div>
      <div className={styles.picture}>
        {quickChart && (
          <ChartHost
            form={quickChart.form}
            frames={quickChart.frames}
            dataset={quickChart.dataset}
            title={t('sqllab.quick.title', 'Quick chart of {name}', { name: nameOf(choice.x) })}
          />
        )}
      </div>
    </div>
  )
}
