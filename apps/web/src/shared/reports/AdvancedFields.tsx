import { Field, NumberInput, RadioGroup, useTranslate } from '@parquetry/ui'
import type { ReportDraft } from './report-draft.ts'
import type { ReportFormPart } from './report-form.ts'
import styles from './reports.module.css'

const minuteS = 60

/** Settings that rarely change: time limits, log retention, missed times and image width. */
export function AdvancedFields({ draft, set, errorOf }: ReportFormPart) {
  const t = useTranslate()
  const minutes = t('reports.minutes', 'minutes')
  const toMinutes = (seconds: number | null): number | null => (seconds === null ? null : seconds / minuteS)
  const toSeconds = (value: number | null): number | null => (value === null ? null : Math.round(value * minuteS))
  return (
    <>
      <div className={styles.two}>
        {draft.type === 'Alert' && (
          <Field
            label={t('reports.grace', 'Grace period')}
            help={t('reports.graceHelp', 'No further messages for this long after an alert was sent.')}
            error={errorOf('grace_period', 'gracePeriodS')}
          >
            <NumberInput
              value={toMinutes(draft.gracePeriodS)}
              onChange={(value) => set({ gracePeriodS: toSeconds(value) })}
              min={1}
              suffix={minutes}
            />
          </Field>
        )}
        <Field
          label={t('reports.timeout', 'Working timeout')}
          help={t('reports.timeoutHelp', 'A run that takes longer is stopped.')}
          error={errorOf('working_timeout', 'workingTimeoutS')}
        >
          <NumberInput
            value={toMinutes(draft.workingTimeoutS)}
            onChange={(value) => set({ workingTimeoutS: toSeconds(value) })}
            min={1}
            suffix={minutes}
          />
        </Field>
        <Field label={t('reports.retention', 'Log retention')} error={errorOf('log_retention', 'logRetentionDays')}>
          <NumberInput
            value={draft.logRetentionDays}
            onChange={(logRetentionDays) => set({ logRetentionDays })}
            min={1}
            integer
            suffix={t('reports.days', 'days')}
          />
        </Field>
        {draft.format === 'PNG' && (
          <Field
            label={t('reports.width', 'Image width')}
            help={t('reports.widthHelp', 'Empty: the default width.')}
            error={errorOf('custom_width', 'width')}
          >
            <NumberInput
              value={draft.width}
              onChange={(width) => set({ width })}
              min={1}
              integer
              suffix={t('reports.pixels', 'pixels')}
            />
          </Field>
        )}
      </div>
      <Field label={t('reports.missed', 'Times at which the server was not running')} group>
        <RadioGroup<ReportDraft['missed']>
          value={draft.missed}
          onChange={(missed) => set({ missed })}
          label={t('reports.missed', 'Times at which the server was not running')}
          options={[
            { value: 'run', label: t('reports.missed.run', 'Run once, as soon as possible') },
            { value: 'log', label: t('reports.missed.log', 'Only add them to the log') },
          ]}
        />
      </Field>
    </>
  )
}
