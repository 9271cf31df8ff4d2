import type { ReportFormat } from '@parquetry/model'
import { Field, SegmentedControl, Select, useTranslate } from '@parquetry/ui'
import { listFormats, type ReportDraft } from './report-draft.ts'
import type { ReportFormPart } from './report-form.ts'
import { nameFormat } from './report-texts.ts'
import styles from './reports.module.css'

/** File format, and the orientation of its pages. */
export function FormatFields({ draft, set, errorOf }: ReportFormPart) {
  const t = useTranslate()
  const formats = listFormats(draft.target)
  const all = formats.includes(draft.format) ? formats : [...formats, draft.format]
  return (
    <div className={styles.line}>
      <Field label={t('reports.format', 'Format')} error={errorOf('report_format', 'format', 'target')}>
        <Select<ReportFormat>
          value={draft.format}
          onChange={(format) => format && set({ format })}
          options={all.map((value) => ({ value, label: nameFormat(t, value) }))}
        />
      </Field>
      {draft.format === 'PDF' && (
        <Field label={t('reports.orientation', 'Orientation')}>
          <SegmentedControl<ReportDraft['orientation']>
            value={draft.orientation}
            onChange={(orientation) => set({ orientation })}
            label={t('reports.orientation', 'Orientation')}
            options={[
              { value: 'portrait', label: t('reports.portrait', 'Portrait') },
              { value: 'landscape', label: t('reports.landscape', 'Landscape') },
            ]}
          />
        </Field>
      )}
    </div>
  )
}
