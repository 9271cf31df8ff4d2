import { buildFieldGroups, translateControl, type AnyChart, type ChartForm, type Field } from '@parquetry/charts'
import { Button, Tabs, useTranslate, useI18n, type Command } from '@parquetry/ui'
import { Fragment, useDeferredValue, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import type { LayerError } from '../shared/annotations/layer-errors.ts'
import { FieldControl } from './controls/FieldControl.tsx'
import type { ExploreDataset } from './use-explore.ts'
import { VizPicker } from './VizPicker.tsx'
import styles from './Explore.module.css'

export interface ControlPanelProps {
  chart: AnyChart
  form: ChartForm
  dataset: ExploreDataset
  /** Errors that prevent the query from running. */
  errors: readonly { name: string; label: string }[]
  layerErrors: readonly LayerError[]
  onChange(name: string, value: unknown, isAppearance: boolean): void
  onVizType(viz_type: string): void
  update: Command
  isOutOfDate: boolean
  isAutoUpdate: boolean
  onAutoUpdate(on: boolean): void
}

type Part = 'data' | 'look'

/** Control panel, generated from the chart's form: query settings under Data, appearance under Style. */
export function ControlPanel({
  chart,
  form,
  dataset,
  errors,
  layerErrors,
  onChange,
  onVizType,
  update,
  isOutOfDate,
  isAutoUpdate,
  onAutoUpdate,
}: ControlPanelProps) {
  const t = useTranslate()
  const [part, setPart] = useState<Part>('data')
  // Rendering dozens of fields is too much for one task: they render in small steps, after the page is painted and its query is
  // sent.
  const areFieldsDue = useDeferredValue(true, false)
  const { locale, messages } = useI18n()
  const inEnglish = areFieldsDue ? buildFieldGroups(chart.form, form, dataset) : []
  const groups =
    locale === 'en'
      ? inEnglish
      : inEnglish.map(({ group, fields }) => ({
          group,
          fields: fields.map((field) => ({
            ...field,
            control: translateControl(field.control, chart.viz_type, field.name, messages),
          })),
        }))
  const labels = new Map(groups.flatMap(({ fields }) => fields.map(({ name, control }) => [name, control.label])))
  const fieldsOf = (group: Field['control']['group']): Field[] =>
    groups.find((each) => each.group === group)?.fields.filter(({ visible }) => visible) ?? []
  const compare = fieldsOf('compare')
  const panel = useRef<HTMLElement>(null)
  const goTo = (name: string): void => {
    const { group } = groups.find(({ fields }) => fields.some((field) => field.name === name)) ?? {}
    flushSync(() => setPart(group === 'look' ? 'look' : 'data'))
    const control = panel.current?.querySelector(`[data-control="${CSS.escape(name)}"]`)
    control?.closest('details')?.setAttribute('open', '')
    control?.scrollIntoView({ block: 'nearest' })
    control?.querySelector<HTMLElement>('input, button, textarea, select')?.focus()
  }
  const draw = (field: Field) => (
    <div key={`${chart.viz_type}.${field.name}`} data-control={field.name}>
      <FieldControl
        field={field}
        form={form}
        dataset={dataset}
        layerErrors={layerErrors}
        onChange={(value) => onChange(field.name, value, field.control.group === 'look')}
      />
    </div>
  )

  return (
    <section ref={panel} className={styles.panel} aria-label={t('explore.panel.label', 'Controls')}>
      <VizPicker value={chart.viz_type} dataset={dataset} onChange={onVizType} />
      <Tabs<Part>
        value={part}
        onChange={setPart}
        label={t('explore.panel.parts', 'Control sections')}
        tabs={[
          { value: 'data', label: t('explore.panel.data', 'Data') },
          { value: 'look', label: t('explore.panel.look', 'Style') },
        ]}
      />
      <div className={styles.fields}>
        {part === 'look' ? (
          <Sections fields={fieldsOf('look')} draw={draw} />
        ) : (
          <>
            <Sections fields={fieldsOf('query')} draw={draw} />
            {compare.length > 0 && (
              <details className={styles.more}>
                <summary>{t('explore.panel.compare', 'Compare and smooth')}</summary>
                <div className={styles.fields}>
                  <Sections fields={compare} draw={draw} />
                </div>
              </details>
            )}
          </>
        )}
      </div>
      <footer className={styles.foot}>
        {errors.length > 0 && (
          <p className={styles.errors} role="status">
            {t('explore.panel.fixFirst', 'Fix these controls:')}{' '}
            {errors.map(({ name, label }, index) => (
              <Fragment key={name}>
                {index > 0 && ', '}
                <button type="button" onClick={() => goTo(name)}>
                  {labels.get(name) ?? label}
                </button>
              </Fragment>
            ))}
          </p>
        )}
        <label className={styles.itself}>
          <input type="checkbox" checked={isAutoUpdate} onChange={(event) => onAutoUpdate(event.target.checked)} />
          {t('explore.panel.itself', 'Update as I edit')}
        </label>
        <Button variant={isOutOfDate ? 'primary' : 'secondary'} command={update} />
      </footer>
    </section>
  )
}

/** Controls under their section headings; controls without a section come first. */
function Sections({ fields, draw }: { fields: readonly Field[]; draw(field: Field): ReactNode }) {
  const sections = Map.groupBy(fields, ({ control }) => control.section)
  return (
    <>
      {sections.get(undefined)?.map(draw)}
      {[...sections].map(
        ([section, own]) =>
          section !== undefined && (
            <section key={section} className={styles.fields} aria-label={section}>
              <h3 className={styles.section}>{section}</h3>
              {own.map(draw)}
            </section>
          ),
      )}
    </>
  )
}
